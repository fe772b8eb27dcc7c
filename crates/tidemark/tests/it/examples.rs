//! Every command shown in README and docs prints what is shown. Rewrite them with `TRYCMD=overwrite`.

#[test]
fn every_documented_command_prints_what_is_shown() {
    std::env::set_current_dir(crate::root()).expect("the repository can be entered");
    trycmd::TestCases::new().case("README.md").case("docs/*.md").run();
}
