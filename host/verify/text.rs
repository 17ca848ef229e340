//! A case as one line of text, `field=value` joined by commas: short enough for the command line and for a shell to
//! leave alone.

use super::case::Case;
use super::kernel::{Kernel, Type};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::{Map, Value};

/// Why a text is no case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// `{0}` is not `field=value`; copy the case as a failed run printed it.
    #[error("`{0}` is not `field=value`; copy the case as a failed run printed it")]
    Field(String),
    /// The case is malformed ({0}); copy it as a failed run printed it.
    #[error("the case is malformed ({0}); copy it as a failed run printed it")]
    Malformed(String),
    /// The fields of the case do not belong together: sizes are 1 to 16384, K of int4 kernels a multiple of 32, gaps at most 64; integer kernels take f32 and give i32 or f32, the others take and give f32 or f16.
    #[error(
        "the fields of the case do not belong together: sizes are 1 to 16384, K of int4 kernels a multiple of 32, gaps at most 64; integer kernels take f32 and give i32 or f32, the others take and give f32 or f16"
    )]
    Unsound,
}

impl Case {
    /// The case as text.
    pub fn to_text(&self) -> String {
        let fields = match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let field = |(name, value): (&String, &Value)| match value {
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        };
        fields.iter().map(field).collect::<Vec<_>>().join(",")
    }

    /// Reads what [`Case::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Case, CaseError> {
        let mut fields = Map::new();
        for part in text.trim().split(',') {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| CaseError::Field(part.to_owned()))?;
            let value = value
                .parse::<u64>()
                .map_or_else(|_| Value::from(value), Value::from);
            fields.insert(name.trim().to_owned(), value);
        }
        let case: Case = serde_json::from_value(Value::Object(fields))
            .map_err(|e| CaseError::Malformed(e.to_string()))?;
        case.is_sound().then_some(case).ok_or(CaseError::Unsound)
    }
}

impl Serialize for Kernel {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'a> Deserialize<'a> for Kernel {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Kernel, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

const TYPES: [(Type, &str); 3] = [(Type::F32, "f32"), (Type::F16, "f16"), (Type::I32, "i32")];

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let name = TYPES.iter().find(|(kind, _)| kind == self);
        to.serialize_str(name.map_or("", |(_, name)| name))
    }
}

impl<'a> Deserialize<'a> for Type {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Type, D::Error> {
        let text = String::deserialize(from)?;
        let found = TYPES.iter().find(|(_, name)| *name == text);
        found
            .map(|(kind, _)| *kind)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is none of f32, f16, i32")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Kernel;
    use super::*;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;

    proptest! {
        #[test]
        fn text_and_case_are_the_same(case in Case::strategy(Kernel::W4A8)) {
            prop_assert_eq!(Case::from_text(&case.to_text()), Ok(case));
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        assert!(matches!(Case::from_text("m=1,n"), Err(CaseError::Field(_))));
        assert!(matches!(Case::from_text(""), Err(CaseError::Field(_))));
        assert!(matches!(
            Case::from_text("m=1"),
            Err(CaseError::Malformed(_))
        ));
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let tree = Case::strategy(Kernel::W4A8).new_tree(&mut runner).unwrap();
        let mut case = tree.current();
        case.k = 33;
        assert_eq!(Case::from_text(&case.to_text()), Err(CaseError::Unsound));
    }
}
