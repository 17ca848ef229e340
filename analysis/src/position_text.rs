//! Places of a readout in words.

use crate::closed_form::ClosedForm;
use crate::decode::Number;
use crate::fit::Line;
use crate::positions::{Coding, Positions};

impl Positions {
    /// One sentence for people.
    pub fn sentence(&self) -> String {
        let mut parts = Vec::new();
        if let Some(law) = &self.row_law {
            parts.push(format!("row r shows product row {law}"));
        }
        if let Some(law) = &self.column_law {
            parts.push(format!("column c shows product column {law}"));
        }
        if let Some(ClosedForm::BitPermutation(formula)) = &self.closed_form {
            parts.push(formula.clone());
        }
        let coded = match self.coding {
            Coding::Elements => "elements",
            Coding::Rows => "rows",
            Coding::Columns => "columns",
            Coding::Groups => "groups of elements",
        };
        if self.zeros_aside {
            parts.push("zeros left out".to_owned());
        }
        let law = match parts.is_empty() {
            true => "no simple law of places".to_owned(),
            false => parts.join("; "),
        };
        let Line { scale, offset, .. } = self.line;
        let plus = if offset == Number(0.0) {
            String::new()
        } else {
            format!(" + {offset}")
        };
        format!("{coded} told apart: {law} (value = {scale} * product{plus})")
    }
}
