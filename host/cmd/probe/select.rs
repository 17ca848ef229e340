//! Which probes the words on the command line mean.

use anyhow::bail;
use hmx_probes::Probe;
use std::path::Path;

/// Shipped probes by name, whole families by the name of their file, files by path, or `all`.
pub fn select(words: &[String]) -> anyhow::Result<Vec<Probe>> {
    let mut selected: Vec<Probe> = Vec::new();
    for word in words {
        for probe in meant(word)? {
            match selected.iter().find(|p| p.name == probe.name) {
                None => selected.push(probe),
                Some(same) if same.source == probe.source => {}
                Some(_) => bail!(
                    "two probes are called `{}`; rename one of the files, or run them one at a time",
                    probe.name
                ),
            }
        }
    }
    Ok(selected)
}

fn meant(word: &str) -> anyhow::Result<Vec<Probe>> {
    let shipped = hmx_probes::shipped();
    if word == "all" {
        return Ok(shipped.to_vec());
    }
    if word.ends_with(".toml") || Path::new(word).is_file() {
        return Ok(Probe::load(word)?);
    }
    let family = |name: &str| {
        name.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    let exact = shipped.iter().filter(|p| p.name == word);
    let mut found: Vec<Probe> = exact.cloned().collect();
    if found.is_empty() {
        found.extend(shipped.iter().filter(|p| family(&p.name)).cloned());
    }
    if found.is_empty() {
        let near = shipped
            .iter()
            .map(|p| (strsim::jaro_winkler(word, &p.name), p.name.as_str()))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(likeness, _)| *likeness > 0.8)
            .map(|(_, name)| name);
        match near {
            Some(near) => bail!("there is no probe `{word}`; did you mean `{near}`?"),
            None => bail!(
                "there is no probe `{word}`; `hmx probe list` names the shipped ones, a file of your own ends in .toml"
            ),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        let probes = select(&words).map_err(|e| e.to_string())?;
        Ok(probes.into_iter().map(|p| p.name).collect())
    }

    #[test]
    fn a_name_means_one_probe_and_a_family_its_members() {
        assert_eq!(names(&["fp16-ones"]), Ok(vec!["fp16-ones".to_owned()]));
        let family = names(&["w4a8-bytes"]).expect("a family");
        assert_eq!(family.len(), 42);
        assert!(family.iter().all(|n| n.starts_with("w4a8-bytes-")));
    }

    #[test]
    fn naming_a_probe_twice_runs_it_once() {
        let all = names(&["all"]).expect("all");
        assert_eq!(names(&["fp16-ones", "all"]).map(|n| n.len()), Ok(all.len()));
    }

    #[test]
    fn a_wrong_name_gets_the_nearest() {
        let error = names(&["fp16-onse"]).expect_err("no such probe");
        assert!(error.contains("did you mean `fp16-ones`"), "{error}");
        let error = names(&["zzz"]).expect_err("no such probe");
        assert!(error.contains("hmx probe list"), "{error}");
    }
}
