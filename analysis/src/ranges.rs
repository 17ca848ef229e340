//! Lists of indices in short.

/// Ascending indices in short: `0..=3, 8, 10..=14 by 2`.
pub fn ranges(indices: &[usize]) -> String {
    let mut parts = Vec::new();
    let mut i = 0;
    while i < indices.len() {
        let step = match indices.get(i + 1) {
            Some(next) => next - indices[i],
            None => 1,
        };
        let mut end = i;
        while indices.get(end + 1) == Some(&(indices[end] + step)) {
            end += 1;
        }
        let (first, last) = (indices[i], indices[end]);
        if end == i || (step > 1 && end == i + 1) {
            parts.push(first.to_string());
            i += 1;
        } else {
            parts.push(match step {
                1 => format!("{first}..={last}"),
                _ => format!("{first}..={last} by {step}"),
            });
            i = end + 1;
        }
    }
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_and_steps_are_joined() {
        assert_eq!(ranges(&[]), "none");
        assert_eq!(ranges(&[3, 4, 5, 8]), "3..=5, 8");
        assert_eq!(ranges(&[0, 2, 4, 9]), "0..=4 by 2, 9");
    }
}
