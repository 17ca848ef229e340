//! Numbers of readouts, in text and JSON.

use serde::Serialize;

/// A number that prints short and serialises as a JSON number, or as text ("inf", "NaN")
/// where JSON has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let v = self.0;
        let text = if v == 0.0 || !v.is_finite() || v.fract() == 0.0 && v.abs() < 1e9 {
            format!("{v}")
        } else if v.abs() >= 1e-4 && v.abs() < 1e9 {
            // Five significant digits, without trailing zeros.
            let digits = (4 - v.abs().log10().floor() as i32).clamp(0, 9) as usize;
            let text = format!("{v:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        } else {
            format!("{v:.4e}")
        };
        f.pad(&text)
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            v if !v.is_finite() => s.serialize_str(&v.to_string()),
            v if v.fract() == 0.0 && v.abs() < 9e15 && !(v == 0.0 && v.is_sign_negative()) => {
                s.serialize_i64(v as i64)
            }
            v => s.serialize_f64(v),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_short() {
        let shown = |v: f64| Number(v).to_string();
        assert_eq!(shown(32.0), "32");
        assert_eq!(shown(0.009895324707), "0.0098953");
        assert_eq!(shown(-1.5), "-1.5");
        assert_eq!(shown(f64::NAN), "NaN");
        assert_eq!(serde_json::to_string(&Number(4.0)).unwrap(), "4");
        assert_eq!(
            serde_json::to_string(&Number(f64::INFINITY)).unwrap(),
            "\"inf\""
        );
    }
}
