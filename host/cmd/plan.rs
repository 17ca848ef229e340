//! `hmx plan`

use crate::shell::{Outcome, Shell};
use hmx_workbench::kernels::{Element, Kernel, Shape};
use hmx_workbench::plan::{Request, VTCM_SIZE, View, plan, plan_text, problem_text};

/// Say where a kernel puts what in VTCM for a shape
///
/// The plan holds for these M, N, K and element types. It asks for no more VTCM than it uses.
#[derive(clap::Args)]
pub struct Args {
    /// mm_hf, mm_w4a8, mm_w4a8_channel, mm_w4a16_fused or mm_w4a16_twopass
    kernel: Kernel,
    /// Rows, output channels, input channels
    #[arg(value_name = "MxNxK", value_parser = size)]
    size: [u32; 3],
    /// Print struct hmxwb_problem and struct hmxwb_plan as C initialisers
    #[arg(long, conflicts_with = "json")]
    c: bool,
    /// Type of the activations: f32 or f16
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = element)]
    act: Element,
    /// Type of the results: f32, f16 or i32
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = element)]
    out: Element,
    /// Bytes of VTCM there are
    #[arg(long, value_name = "BYTES", default_value_t = VTCM_SIZE)]
    vtcm: u32,
    /// Row tiles in VTCM at a time; the planner's choice when absent
    #[arg(long, value_name = "N")]
    row_tiles: Option<u32>,
    /// Column tiles of one weight chunk; the planner's choice when absent
    #[arg(long, value_name = "N")]
    column_tiles: Option<u32>,
    /// Pieces that an HVX stage is cut into
    #[arg(long, value_name = "N", default_value_t = 1)]
    tasks: u32,
}

/// Largest M, N or K: no byte count overflows below it.
const LARGEST: u32 = 1 << 20;

fn size(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text
        .split('x')
        .map(|part| part.parse().ok().filter(|n| (1..=LARGEST).contains(n)))
        .collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("write M x N x K as in 512x4096x4096, each from 1 to {LARGEST}"))
}

fn element(text: &str) -> Result<Element, String> {
    match text {
        "f32" => Ok(Element::F32),
        "f16" => Ok(Element::F16),
        "i32" => Ok(Element::I32),
        _ => Err("use f32, f16 or i32".to_owned()),
    }
}

pub fn run(args: Args, shell: &mut Shell) -> anyhow::Result<Outcome> {
    let [m, n, k] = args.size;
    let (act, out) = (args.act, args.out);
    let shape = Shape { m, n, k, act, out };
    shape.check_types(args.kernel)?;
    let request = Request {
        budget: args.vtcm,
        row_tiles: args.row_tiles,
        column_tiles: args.column_tiles,
        tasks: args.tasks,
        hvx_first: false,
    };
    let plan = plan(args.kernel, &shape, &request)?.tight();
    let view = View::new(args.kernel, &shape, &plan);
    if shell.json() {
        shell.value(&view)?;
    } else if args.c {
        let problem = problem_text(args.kernel, &shape);
        shell.line(format_args!("struct hmxwb_problem problem = {problem};"))?;
        let plan = plan_text(args.kernel, &plan);
        shell.line(format_args!("struct hmxwb_plan plan = {plan};"))?;
    } else {
        print(&view, args.vtcm, shell)?;
    }
    Ok(Outcome::Expected)
}

fn print(view: &View, there: u32, shell: &mut Shell) -> anyhow::Result<()> {
    shell.line(format_args!(
        "{} on {}x{}x{}: {} of {there} bytes of VTCM, {} row tiles and {} column tiles at a time",
        view.kernel, view.m, view.n, view.k, view.vtcm_size, view.row_tiles, view.column_tiles,
    ))?;
    let mut table = shell.table(["offset", "bytes", "region", "index in C"]);
    for region in &view.regions {
        table.add_row([
            format!("{:#09x}", region.offset),
            region.size.to_string(),
            region.name.to_owned(),
            region.constant.to_owned(),
        ]);
    }
    shell.print(&table)?;
    shell.line(format_args!(
        "activations {} bytes, packed weights {}, result {}, scratch {}",
        view.act_bytes, view.weight_bytes, view.out_bytes, view.scratch_bytes,
    ))
}
