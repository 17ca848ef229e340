//! Laws between two lists of indices.

/// The law `a*(x//d)+b` from readout index to product index, if one holds for all pairs.
pub fn index_law(pairs: &[(usize, usize)], name: &str) -> Option<String> {
    let &(x0, y0) = pairs.first()?;
    for d in [1, 2, 4] {
        let other = pairs.iter().find(|(x, _)| x / d != x0 / d);
        let Some(&(x1, y1)) = other else { continue };
        let (dx, dy) = ((x1 / d) as i64 - (x0 / d) as i64, y1 as i64 - y0 as i64);
        if dy % dx != 0 {
            continue;
        }
        let a = dy / dx;
        let b = y0 as i64 - a * (x0 / d) as i64;
        if pairs
            .iter()
            .all(|(x, y)| a * (x / d) as i64 + b == *y as i64)
        {
            let index = if d == 1 {
                name.to_owned()
            } else {
                format!("({name}//{d})")
            };
            let scaled = if a == 1 {
                index
            } else {
                format!("{a}*{index}")
            };
            return Some(match b {
                0 => scaled,
                b if b > 0 => format!("{scaled}+{b}"),
                b => format!("{scaled}{b}"),
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_laws() {
        let law =
            |f: fn(usize) -> usize| index_law(&(0..32).map(|r| (r, f(r))).collect::<Vec<_>>(), "r");
        assert_eq!(law(|r| 4 * (r / 2) + 1).as_deref(), Some("4*(r//2)+1"));
        assert_eq!(law(|r| r).as_deref(), Some("r"));
        assert_eq!(law(|r| 31 - r).as_deref(), Some("-1*r+31"));
        assert_eq!(law(|r| r * r % 31), None);
    }
}
