//! What an instruction does, as data: derived from its syntax in `isa.tsv`.

/// Element type of an activation load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the assembly
pub enum ActElem {
    Ub,
    Hf,
    F8,
}

/// Modifier of an activation load: how y taps and croutons are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the assembly
pub enum ActMode {
    Plain,
    Deep,
    Above,
    Single,
    Dilate,
}

/// Weight loader: how a 32-bit word becomes stream positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the assembly
pub enum Loader {
    B,
    Sm,
    N,
    C,
    Sc,
    Ubit,
    Sbit,
    Hf,
    F8,
    /// `weight.n=...:2x`, two output channels in a word.
    N2x,
}

/// Modifier of a weight load: how x taps are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the assembly
pub enum WeightMode {
    Plain,
    Single,
    Drop,
    Deep,
    After,
    Dilate,
}

/// Output format of a convert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the assembly
pub enum Format {
    Ub,
    Uh2x1,
    Uh2x2,
    Hf,
    F8,
    UbSc0,
    UbSc1,
}

/// One HMX instruction without its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `activation.<elem>=mxmem(Rs,Rt)<mode>[:cm]`
    Activation {
        /// Element type.
        elem: ActElem,
        /// Tap modifier.
        mode: ActMode,
        /// Channel-major crouton.
        cm: bool,
    },
    /// `weight.<loader>=mxmem(Rs,Rt)<mode>`
    Weight {
        /// Stream format.
        loader: Loader,
        /// Tap modifier.
        mode: WeightMode,
    },
    /// `bias=mxmem(Rs)`, `bias=mxmem2(Rs)` (wide)
    LoadBias {
        /// `mxmem2`: both halves of each entry.
        wide: bool,
    },
    /// `mxmem(Rs)=bias`, `mxmem2(Rs)=bias` (wide)
    StoreBias {
        /// `mxmem2`: both halves of each entry.
        wide: bool,
    },
    /// `mxmem(Rs,Rt):before|after[:retain][:pos][:cm][:sat].<format>=acc[:2x1|:2x2]`
    ConvertStore {
        /// `:after` (else `:before`).
        after: bool,
        /// Keep the accumulator and the current set.
        retain: bool,
        /// Clip negatives (hf).
        pos: bool,
        /// Channel-major store.
        cm: bool,
        /// Saturate (else wrap).
        sat: bool,
        /// Output format.
        format: Format,
    },
    /// `cvt.<format>=acc(Rs)[:2x1|:2x2|:sc0|:sc1]`
    Convert {
        /// Output format.
        format: Format,
    },
    /// `mxmem(Rs,Rt)[:cm][:2x2][:deep][.f8]=cvt`
    StoreCvt {
        /// Channel-major store.
        cm: bool,
        /// `:deep`: before part from age 2.
        deep: bool,
        /// `:2x2`.
        x2: bool,
        /// `.f8`.
        f8: bool,
    },
    /// `mxclracc[.hf]`
    ClearAcc {
        /// The float planes (else the fixed-point ones).
        float: bool,
    },
    /// `mxswapacc[.hf]`
    SwapAcc {
        /// Spelled `.hf`.
        float: bool,
    },
    /// `acc=mxshl(acc,#16)`
    ShiftAcc,
}

impl Op {
    /// Whether Rs is a VTCM address (with fields in its low bits), so that a program
    /// written for offset 0 moves with the place where the image lies.
    pub fn rs_is_address(self) -> bool {
        !matches!(
            self,
            Op::Convert { .. } | Op::ClearAcc { .. } | Op::SwapAcc { .. } | Op::ShiftAcc
        )
    }

    /// Reads the operation off a syntax line of `isa.tsv`; `None` for text that is none.
    pub fn from_syntax(syntax: &str) -> Option<Op> {
        let has = |m: &str| syntax.split([':', '.', '=']).any(|p| p == m);
        if let Some(rest) = syntax.strip_prefix("activation.") {
            let (elem, _) = rest.split_once('=')?;
            return Some(Op::Activation {
                elem: match elem {
                    "ub" => ActElem::Ub,
                    "hf" => ActElem::Hf,
                    "f8" => ActElem::F8,
                    _ => return None,
                },
                mode: match () {
                    () if has("deep") => ActMode::Deep,
                    () if has("above") => ActMode::Above,
                    () if has("single") => ActMode::Single,
                    () if has("dilate") => ActMode::Dilate,
                    () => ActMode::Plain,
                },
                cm: has("cm"),
            });
        }
        if let Some(rest) = syntax.strip_prefix("weight.") {
            let (loader, _) = rest.split_once('=')?;
            return Some(Op::Weight {
                loader: match loader {
                    "n" if has("2x") => Loader::N2x,
                    "b" => Loader::B,
                    "sm" => Loader::Sm,
                    "n" => Loader::N,
                    "c" => Loader::C,
                    "sc" => Loader::Sc,
                    "ubit" => Loader::Ubit,
                    "sbit" => Loader::Sbit,
                    "hf" => Loader::Hf,
                    "f8" => Loader::F8,
                    _ => return None,
                },
                mode: match () {
                    () if has("deep") => WeightMode::Deep,
                    () if has("after") => WeightMode::After,
                    () if has("single") => WeightMode::Single,
                    () if has("dilate") => WeightMode::Dilate,
                    () if has("drop") => WeightMode::Drop,
                    () => WeightMode::Plain,
                },
            });
        }
        Some(match syntax {
            "bias=mxmem(Rs)" => Op::LoadBias { wide: false },
            "bias=mxmem2(Rs)" => Op::LoadBias { wide: true },
            "mxmem(Rs)=bias" => Op::StoreBias { wide: false },
            "mxmem2(Rs)=bias" => Op::StoreBias { wide: true },
            "mxclracc" => Op::ClearAcc { float: false },
            "mxclracc.hf" => Op::ClearAcc { float: true },
            "mxswapacc" => Op::SwapAcc { float: false },
            "mxswapacc.hf" => Op::SwapAcc { float: true },
            "acc=mxshl(acc,#16)" => Op::ShiftAcc,
            _ if syntax.starts_with("cvt.") => Op::Convert {
                format: Format::in_syntax(syntax)?,
            },
            _ if syntax.ends_with("=cvt") => Op::StoreCvt {
                cm: has("cm"),
                deep: has("deep"),
                x2: has("2x2"),
                f8: has("f8"),
            },
            _ if has("before") || has("after") => Op::ConvertStore {
                after: has("after"),
                retain: has("retain"),
                pos: has("pos"),
                cm: has("cm"),
                sat: has("sat"),
                format: Format::in_syntax(syntax)?,
            },
            _ => return None,
        })
    }
}

impl Format {
    fn in_syntax(syntax: &str) -> Option<Format> {
        let has = |m: &str| syntax.split([':', '.', '=']).any(|p| p == m);
        Some(match () {
            () if has("hf") => Format::Hf,
            () if has("f8") => Format::F8,
            () if has("uh") && has("2x1") => Format::Uh2x1,
            () if has("uh") && has("2x2") => Format::Uh2x2,
            () if has("ub") && has("sc0") => Format::UbSc0,
            () if has("ub") && has("sc1") => Format::UbSc1,
            () if has("ub") => Format::Ub,
            () => return None,
        })
    }
}
