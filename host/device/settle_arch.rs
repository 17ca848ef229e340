//! Which architecture a device is of.

use super::task::Opened;
use crate::target::TargetError;
use hmx_abi::Arch;

/// Which architecture this is: the driver knows; where it does not, the user must.
pub fn settle_arch(
    told: Option<u32>,
    opened: &Opened,
    named: Option<Arch>,
) -> Result<Arch, TargetError> {
    let by_number = |number: u32| Arch::ALL.into_iter().find(|a| a.number() == number);
    let arch = match (told, named) {
        (Some(number), _) => by_number(number).ok_or_else(|| {
            TargetError::Failed(format!(
                "the driver says this DSP is v{number}, a version without HMX or one that this tool does not know; check with `hmx doctor`"
            ))
        })?,
        (None, Some(arch)) => arch,
        (None, None) => {
            return Err(TargetError::Failed(
                "the driver does not say which architecture this DSP is (it answers 0, which means unknown); name it with --arch".to_owned(),
            ));
        }
    };
    if let Some(named) = named.filter(|&named| named != arch) {
        return Err(TargetError::Failed(format!(
            "this DSP is {arch}, not {named}; leave --arch out, or use --target sim for {named}"
        )));
    }
    if opened.skel_arch > arch.number() {
        return Err(TargetError::Failed(format!(
            "the skel was built for v{}, this DSP is {arch}; build it with `hmx skel build --arch {arch}`",
            opened.skel_arch
        )));
    }
    Ok(arch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(skel_arch: u32) -> Opened {
        Opened {
            skel_arch,
            ..Opened::default()
        }
    }

    fn refusal(told: Option<u32>, skel: u32, named: Option<Arch>) -> String {
        settle_arch(told, &opened(skel), named)
            .expect_err("it must be refused")
            .to_string()
    }

    #[test]
    fn the_driver_knows_the_architecture_and_the_user_where_it_does_not() {
        let settled = |told, named| settle_arch(told, &opened(0), named).ok();
        assert_eq!(settled(Some(81), None), Some(Arch::V81));
        assert_eq!(settled(Some(75), Some(Arch::V75)), Some(Arch::V75));
        assert_eq!(settled(None, Some(Arch::V73)), Some(Arch::V73));
        assert!(refusal(None, 0, None).contains("--arch"));
        assert!(refusal(Some(75), 0, Some(Arch::V81)).contains("v75, not v81"));
        assert!(refusal(Some(66), 0, None).contains("v66"));
        assert!(refusal(Some(73), 75, None).contains("hmx skel build --arch v73"));
    }
}
