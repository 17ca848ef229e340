//! One line of a check: ok, problem, or cannot tell, and what to do.

use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Looked at, and as it should be.
    Ok,
    /// Looked at, and not as it should be.
    Problem,
    /// Could not be looked at, or says nothing either way.
    CannotTell,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// How it ended.
    pub state: State,
    /// What was seen.
    pub seen: String,
    /// What to do; empty where there is nothing to do.
    pub next: String,
}

impl Finding {
    /// As it should be.
    pub fn ok(what: &str, seen: impl Into<String>) -> Finding {
        Finding::new(what, State::Ok, seen, "")
    }

    /// Not as it should be.
    pub fn problem(what: &str, seen: impl Into<String>, next: impl Into<String>) -> Finding {
        Finding::new(what, State::Problem, seen, next)
    }

    /// No statement either way.
    pub fn cannot_tell(what: &str, seen: impl Into<String>, next: impl Into<String>) -> Finding {
        Finding::new(what, State::CannotTell, seen, next)
    }

    fn new(what: &str, state: State, seen: impl Into<String>, next: impl Into<String>) -> Finding {
        Finding {
            what: what.to_owned(),
            state,
            seen: seen.into(),
            next: next.into(),
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match self.state {
            State::Ok => "ok",
            State::Problem => "problem",
            State::CannotTell => "cannot tell",
        };
        write!(f, "{state:<12} {}: {}", self.what, self.seen)?;
        if !self.next.is_empty() {
            write!(f, "\n{:<12} -> {}", "", self.next)?;
        }
        Ok(())
    }
}

/// Whether one of them is a problem.
pub fn any_problem(findings: &[Finding]) -> bool {
    findings.iter().any(|f| f.state == State::Problem)
}
