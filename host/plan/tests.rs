use super::*;
use crate::kernels::Element;
use proptest::prelude::*;

fn shape(m: u32, n: u32, k: u32) -> Shape {
    Shape {
        m,
        n,
        k,
        act: Element::F32,
        out: Element::F32,
    }
}

proptest! {
    #[test]
    fn plans_fit_and_regions_are_apart_and_aligned(
        m in 1u32..600, n in 1u32..5000, k in 1u32..9000, kernel in 0usize..5, mib in 1u32..9,
    ) {
        let kernel = Kernel::ALL[kernel];
        let request = Request { budget: mib << 20, ..Request::default() };
        match plan(kernel, &shape(m, n, k), &request) {
            Ok(plan) => {
                let mut end = 0;
                for (name, region) in &plan.regions {
                    prop_assert!(region.offset >= end, "{name} overlaps the one before");
                    prop_assert!(region.offset % 128 == 0);
                    end = region.offset + region.size + GUARD;
                }
                prop_assert!(end <= request.budget);
                prop_assert_eq!(end, plan.used);
                for purpose in [Purpose::Act, Purpose::Weight0, Purpose::Read1] {
                    prop_assert!(plan.data.region[purpose.id()].offset % 2048 == 0);
                }
            }
            Err(PlanError::TooLarge { needed, over, budget, .. }) => {
                prop_assert_eq!(needed - over, u64::from(budget));
                prop_assert_eq!(bytes(kernel, &shape(m, n, k), 1, 1), needed);
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

#[test]
fn the_large_problem_reads_its_weights_once() {
    for kernel in Kernel::ALL {
        let s = shape(512, 4096, 4096);
        let plan = plan(kernel, &s, &Request::default()).unwrap();
        assert_eq!(plan.data.row_tiles, s.row_tiles(kernel), "{kernel}");
    }
}

#[test]
fn what_does_not_fit_is_said_with_the_bytes_missing() {
    let error = plan(
        Kernel::W4A16Fused,
        &shape(1, 64, 65536),
        &Request::default(),
    )
    .unwrap_err();
    let text = error.to_string();
    assert!(text.contains("mm_w4a16_fused needs"), "{text}");
    assert!(text.contains("more than the 8388608 there are"), "{text}");
}

#[test]
fn one_chunk_needs_no_second_buffer() {
    let plan = plan(Kernel::W4A16Fused, &shape(1, 64, 64), &Request::default()).unwrap();
    assert_eq!(plan.data.region[Purpose::Weight1.id()].size, 0);
    assert_eq!(plan.data.column_tiles, 2);
}
