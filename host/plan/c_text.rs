//! A problem and its plan as initialisers of the structs in hmxwb.h.

use super::{Plan, Purpose};
use crate::kernels::{Kernel, Shape};
use std::fmt::Write;

/// `struct hmxwb_problem` for a shape, rows without gaps.
pub fn problem_text(kernel: Kernel, shape: &Shape) -> String {
    let Shape { m, n, k, act, out } = shape;
    format!(
        "{{\n  .version = HMXWB_ABI_VERSION, .kernel = {}, .m = {m}, .n = {n}, .k = {k},\n  \
         .act_type = {}, .out_type = {}, .act_stride = {}, .out_stride = {},\n}}",
        kernel.c_name(),
        act.c_name(),
        out.c_name(),
        *k as usize * act.bytes(),
        *n as usize * out.bytes(),
    )
}

/// `struct hmxwb_plan`.
pub fn plan_text(kernel: Kernel, plan: &Plan) -> String {
    let data = &plan.data;
    let mut text = format!(
        "{{\n  .version = HMXWB_ABI_VERSION, .kernel = {}, .vtcm_size = {}, .row_tiles = {}, .column_tiles = {},\n  \
         .tasks = {}, .order = {},\n  .region = {{\n",
        kernel.c_name(),
        data.vtcm_size,
        data.row_tiles,
        data.column_tiles,
        data.tasks,
        data.order,
    );
    for purpose in Purpose::ALL {
        let region = data.region[purpose.id()];
        if region.size > 0 {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "    [{}] = {{{}, {}}},",
                purpose.c_name(),
                region.offset,
                region.size
            );
        }
    }
    text + "  },\n}"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headers know every name that is written, with the number that Rust has for it.
    #[test]
    fn names_are_those_of_the_header() {
        let header = include_str!("../../abi/include/hmxwb.h");
        let number = |name: &str| -> u32 {
            let line = header
                .lines()
                .find_map(|l| l.strip_prefix(&format!("#define {name} ")))
                .unwrap_or_else(|| panic!("{name} is not in hmxwb.h"));
            let digits = line.split([' ', 'u']).next().unwrap_or_default();
            digits.parse().unwrap()
        };
        for purpose in Purpose::ALL {
            assert_eq!(number(purpose.c_name()) as usize, purpose.id());
        }
        for kernel in Kernel::ALL {
            assert_eq!(number(kernel.c_name()), kernel.id());
        }
        use crate::kernels::Element::{F16, F32, I32};
        for element in [F32, F16, I32] {
            assert_eq!(number(element.c_name()), element.id());
        }
    }
}
