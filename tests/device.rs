//! Target `device` on the stand-in library: the whole probe table, and every fault that can be
//! ordered. No test here says anything about real hardware.

mod standin;

use serde_json::Value;
use standin::standin;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn hmx(args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmx"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("HMX_") || name.ends_with("DSP_LIBRARY_PATH") {
            command.env_remove(name);
        }
    }
    command.args(args).envs(variables.iter().copied());
    command.output().expect("hmx starts")
}

/// Runs with the stand-in.
fn device(args: &[&str], variables: &[(&str, &str)]) -> Output {
    let library = standin().display().to_string();
    let mut all = vec![("HMX_FASTRPC_LIB", library.as_str())];
    all.extend_from_slice(variables);
    hmx(args, &all)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("no JSON ({e}): {}", stderr(output)))
}

const ONE: [&str; 6] = ["probe", "run", "fp16-ones", "--target", "device", "--json"];

#[test]
fn the_whole_table_is_the_simulators() {
    let args = ["probe", "run", "all", "--json", "--target"];
    let on = |output: Output| {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let mut table = json(&output);
        let target = table["target"].take();
        (table, target)
    };
    let (sim, _) = on(hmx(&[&args[..], &["sim"]].concat(), &[]));
    let (device, target) = on(device(&[&args[..], &["device"]].concat(), &[]));
    assert!(sim["probes"].as_array().is_some_and(|p| p.len() > 20));
    assert_eq!(sim, device);
    assert_eq!(target["name"], "device");
    let hmx = target["facts"]["hmx"].as_str().unwrap_or_default();
    assert!(hmx.contains("no silicon"), "{hmx}");
}

/// The real skel behind the same library: bytes of the simulator, and no claim of silicon.
#[cfg(target_os = "linux")]
#[test]
fn the_real_skel_answers_as_the_native_build() {
    if std::env::var_os("HMX_SKIP_QEMU").is_some() {
        eprintln!("left out: HMX_SKIP_QEMU is set");
        return;
    }
    let probes = [
        "fp16-ones",
        "w4a8-ubit-ramp",
        "w4a16-mixed-n-11",
        "fp16-overflow-usr-0",
    ];
    let args = [&["probe", "run"], &probes[..], &["--json", "--target"]].concat();
    let sim = json(&hmx(&[&args[..], &["sim"]].concat(), &[]));
    let run = device(
        &[&args[..], &["device"]].concat(),
        &[("HMX_STANDIN_SKEL", "qemu")],
    );
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let real = json(&run);
    assert_eq!(sim["probes"], real["probes"]);
    let hmx = real["target"]["facts"]["hmx"].as_str().unwrap_or_default();
    assert!(hmx.contains("no silicon"), "{hmx}");
}

#[test]
fn another_architecture_is_the_devices_to_choose() {
    let v73 = [("HMX_STANDIN_ARCH", "v73")];
    let run = device(&ONE, &v73);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert_eq!(json(&run)["target"]["arch"], "v73");
    let wrong = device(&[&ONE[..], &["--arch", "v81"]].concat(), &v73);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("this DSP is v73, not v81"));
}

/// Every fault that leaves no result: what the user is told, and that nothing was invented.
#[test]
fn faults_are_errors_and_never_results() {
    let cases: &[(&str, &[&str])] = &[
        (
            "open=0x80000406",
            &["opening the skel", "AEE_EUNABLETOLOAD", "ADSP_LIBRARY_PATH"],
        ),
        ("open=0x72", &["AEE_ECONNREFUSED", "hmx doctor"]),
        ("open=0xe", &["AEE_EBADPARM", "domain"]),
        (
            "die",
            &["0x2e AEE_EINTERRUPTED", "the process on the DSP is gone"],
        ),
        ("silent", &["the session is dead", "wrote no answer"]),
        (
            "stale",
            &["the session is dead", "this is the answer to call 1"],
        ),
        (
            "short",
            &["bytes were written where", "nothing of it is used"],
        ),
        ("torn", &["are not those the skel wrote"]),
        ("no-vtcm", &["no VTCM", "0x80000402 AEE_ENOMEMORY"]),
        (
            "crash",
            &["the process of the device job died", "running the program"],
        ),
    ];
    for (fault, parts) in cases {
        let run = device(&ONE, &[("HMX_STANDIN_FAULT", fault)]);
        let told = stderr(&run);
        assert_eq!(run.status.code(), Some(2), "{fault}: {told}");
        for part in *parts {
            assert!(told.contains(part), "{fault}: no `{part}` in: {told}");
        }
        assert!(
            !told.contains("panicked") && !told.contains("a bug"),
            "{told}"
        );
        no_result(&run, fault);
    }
}

fn no_result(run: &Output, fault: &str) {
    if let Ok(table) = serde_json::from_slice::<Value>(&run.stdout) {
        let probes = table["probes"].as_array().map_or(0, Vec::len);
        assert_eq!(probes, 0, "{fault}: a result was invented: {table}");
    }
}

#[test]
fn a_hung_dsp_costs_one_job() {
    let count = tempfile::NamedTempFile::new().expect("a file");
    let count = count.path().display().to_string();
    let begin = Instant::now();
    let run = device(
        &[
            "probe",
            "run",
            "fp16-ones",
            "fp16-identity",
            "--target",
            "device",
            "--json",
        ],
        &[
            ("HMX_STANDIN_FAULT", "hang@1"),
            ("HMX_STANDIN_COUNT", &count),
            ("HMX_DEVICE_TIMEOUT", "2"),
        ],
    );
    let told = stderr(&run);
    assert_eq!(run.status.code(), Some(2), "{told}");
    assert!(told.contains("did not end within 2 s"), "{told}");
    assert!(told.contains("running the program on the DSP"), "{told}");
    assert!(begin.elapsed() < Duration::from_secs(60));
    let table = json(&run);
    let names: Vec<&str> = table["probes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|probe| probe["probe"].as_str())
        .collect();
    assert_eq!(
        names,
        ["fp16-identity"],
        "the next probe has a fresh session"
    );
    assert_eq!(table["broken"][0]["probe"], "fp16-ones");
}

#[test]
fn the_session_after_the_last_is_named() {
    let limit = [
        ("HMX_STANDIN_FAULT", "sessions=3"),
        ("HMX_DEVICE_SESSION", "3"),
    ];
    let run = device(&ONE, &limit);
    assert_eq!(run.status.code(), Some(2));
    let told = stderr(&run);
    for part in ["reserving the session", "0x200 AEE_ERPC", "session limit"] {
        assert!(told.contains(part), "{told}");
    }
    for session in ["0", "1", "3"] {
        let run = device(&ONE, &[("HMX_DEVICE_SESSION", session)]);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        assert_eq!(json(&run)["target"]["facts"]["session"], session);
    }
    let fifth = device(&ONE, &[("HMX_DEVICE_SESSION", "4")]);
    assert_eq!(fifth.status.code(), Some(2));
    assert!(stderr(&fifth).contains("a session from 0 to 3"));
}

#[test]
fn an_old_driver_is_enough() {
    let no_uri = device(&ONE, &[("HMX_STANDIN_FAULT", "no-uri")]);
    assert_eq!(no_uri.status.code(), Some(0), "{}", stderr(&no_uri));

    // A symbol is there or not: overwrite its name in a copy.
    let mut bytes = std::fs::read(standin()).expect("the stand-in");
    let name = b"rpcmem_alloc2\0";
    let places: Vec<usize> = (0..bytes.len() - name.len())
        .filter(|&at| bytes[at..].starts_with(name))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + 6].copy_from_slice(b"gone__");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("libold.so");
    std::fs::write(&old, bytes).expect("a file");
    let old = old.display().to_string();
    let run = hmx(&ONE, &[("HMX_FASTRPC_LIB", &old)]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let doctor = hmx(&["doctor"], &[("HMX_FASTRPC_LIB", &old)]);
    let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        text.contains("rpcmem_alloc2 missing: an old driver"),
        "{text}"
    );
}

#[test]
fn capability_zero_is_unknown() {
    let fault = [("HMX_STANDIN_FAULT", "no-capability")];
    let unnamed = device(&ONE, &fault);
    assert_eq!(unnamed.status.code(), Some(2));
    assert!(stderr(&unnamed).contains("name it with --arch"));
    let named = device(&[&ONE[..], &["--arch", "v75"]].concat(), &fault);
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    assert_eq!(json(&named)["target"]["arch"], "v75");
}

#[test]
fn a_signed_process_does_not_load_the_unsigned_skel() {
    let run = device(&ONE, &[("HMX_DEVICE_PD", "signed")]);
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("0x80000406"), "{}", stderr(&run));
}

#[test]
fn no_library_is_one_error() {
    for library in ["/no/such/library.so", env!("CARGO_BIN_EXE_hmx")] {
        let run = hmx(&ONE, &[("HMX_FASTRPC_LIB", library)]);
        assert_eq!(run.status.code(), Some(2));
        let told = stderr(&run);
        assert!(
            told.contains("FastRPC library") && told.contains("HMX_FASTRPC_LIB"),
            "{told}"
        );
        no_result(&run, library);
    }
}

#[test]
fn doctor_sees_what_the_stand_in_shows() {
    let state = |output: &Output, what: &str| {
        let found = json(output);
        let findings = found["findings"].as_array().cloned().unwrap_or_default();
        let finding = findings.into_iter().find(|f| f["what"] == what);
        finding.unwrap_or_else(|| panic!("no line about {what}: {found}"))
    };
    let well = device(&["doctor", "--json"], &[]);
    assert_eq!(state(&well, "FastRPC library")["state"], "ok");
    assert_eq!(state(&well, "architecture")["seen"], "v81");
    assert_eq!(state(&well, "sessions")["state"], "ok");
    // A stand-in is no device.
    assert_eq!(state(&well, "opening the skel")["state"], "cannot-tell");
    let ill = device(
        &["doctor", "--json"],
        &[(
            "HMX_STANDIN_FAULT",
            "open=0x80000406,no-capability,sessions=4",
        )],
    );
    assert_eq!(ill.status.code(), Some(1));
    assert_eq!(state(&ill, "architecture")["state"], "cannot-tell");
    let opening = state(&ill, "opening the skel");
    assert_eq!(opening["state"], "problem");
    assert!(
        opening["next"]
            .as_str()
            .is_some_and(|n| n.contains("hmx explain 0x80000406"))
    );
}

#[test]
fn doctor_without_a_device_is_quick_and_claims_nothing() {
    let begin = Instant::now();
    let run = hmx(
        &["doctor", "--json"],
        &[("HMX_FASTRPC_LIB", "/no/such/library.so")],
    );
    let took = begin.elapsed();
    assert_eq!(run.status.code(), Some(1));
    let found = json(&run);
    let about_the_dsp = [
        "FastRPC library",
        "optional symbols",
        "architecture",
        "unsigned process",
        "sessions",
        "opening the skel",
        "process shell",
        "search list",
        "skel",
    ];
    for finding in found["findings"].as_array().into_iter().flatten() {
        let what = finding["what"].as_str().unwrap_or_default();
        if about_the_dsp.contains(&what) {
            assert_ne!(finding["state"], "ok", "{finding}");
        }
    }
    assert!(took < Duration::from_secs(20), "{took:?}"); // 2 s on an idle machine
}

#[test]
fn every_kernel_gives_the_bytes_of_the_native_run() {
    use hmx_workbench::device::{Device, Settings};
    use hmx_workbench::kernels::{Element, Kernel, Options, Problem, Shape, run};
    use hmx_workbench::plan::{Request, plan};

    let settings = Settings {
        library: Some(standin()),
        worker: env!("CARGO_BIN_EXE_hmx").into(),
        ..Settings::from_environment(None).expect("no settings are in the way")
    };
    let mut device = Device::open(settings).expect("the stand-in answers");
    let shape = Shape {
        m: 33,
        n: 48,
        k: 64,
        act: Element::F32,
        out: Element::F32,
    };
    let act: Vec<u8> = (0..shape.m * shape.k)
        .flat_map(|i| ((i % 17) as f32 - 8.0).to_le_bytes())
        .collect();
    for kernel in Kernel::ALL {
        let weight: Vec<u8> = (0..shape.weight_bytes(kernel))
            .map(|i| (i * 37 % 60) as u8) // fp16 below 1
            .collect();
        let problem = Problem {
            shape,
            act: &act,
            act_stride: shape.k * 4,
            weight: &weight,
            out_stride: shape.n * 4,
            usr: 0,
        };
        let plan = plan(kernel, &shape, &Request::default()).expect("it fits");
        let here = run(kernel, &problem, &plan, &Options::default()).expect("it runs here");
        let there = device
            .run_kernel(kernel, &problem, &plan)
            .expect("it runs there");
        assert_eq!(here.bytes, there.bytes, "{kernel:?}");
        assert_eq!(here.counters, there.counters, "{kernel:?}");
    }
}
