//! The `hmx` command as a user meets it: arguments in, text and exit status out.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
