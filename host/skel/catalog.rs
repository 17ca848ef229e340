//! Windows catalogs (.cat): is there a signature, and is the skel listed?
//!
//! A catalog is a PKCS #7 signed-data structure in DER. An unsigned one has an empty set of
//! signer infos. Windows lists files by name (UTF-16) and by hash of their content.

use crate::finding::Finding;
use sha2::{Digest, Sha256};

const SIGN_AGAIN: &str = "run Inf2Cat and signtool again (`hmx skel sign --platform windows`); a failure of signtool is an error, not a warning";

/// What makecat writes is smaller than this even when signed; devices refuse it (reported).
const MAKECAT_SIZE: usize = 2048;

/// One DER element: tag, content, what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (len, rest) = match first {
        short if short < 0x80 => (usize::from(short), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let len = digits.iter().fold(0usize, |n, &d| n << 8 | usize::from(d));
            (len, rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(len)?;
    Some((tag, content, rest))
}

/// The content of the first element, which must have this tag, and what follows it.
fn expect(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, content, rest) = element(bytes)?;
    (found == tag).then_some((content, rest))
}

/// 1.2.840.113549.1.7.2
const SIGNED_DATA: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

/// How many signers a catalog has; `None` when it is no signed-data structure.
pub fn signers(cat: &[u8]) -> Option<usize> {
    let (info, _) = expect(cat, 0x30)?;
    let (oid, rest) = expect(info, 0x06)?;
    if oid != SIGNED_DATA {
        return None;
    }
    let (explicit, _) = expect(rest, 0xa0)?;
    let (data, _) = expect(explicit, 0x30)?;
    let (_version, rest) = expect(data, 0x02)?;
    let (_algorithms, rest) = expect(rest, 0x31)?;
    let (_content, mut rest) = expect(rest, 0x30)?;
    // Certificates and revocation lists are optional; the set of signers comes last.
    loop {
        let (tag, content, after) = element(rest)?;
        match tag {
            0xa0 | 0xa1 => rest = after,
            0x31 => {
                let (mut count, mut infos) = (0, content);
                while !infos.is_empty() {
                    infos = element(infos)?.2;
                    count += 1;
                }
                return Some(count);
            }
            _ => return None,
        }
    }
}

/// Whether the catalog lists a file, by name or by the SHA-256 of its content.
pub fn lists(cat: &[u8], name: &str, content: &[u8]) -> bool {
    let contains = |needle: &[u8]| cat.windows(needle.len()).any(|window| window == needle);
    let utf16 = |order: fn(u16) -> [u8; 2], name: &str| -> Vec<u8> {
        name.encode_utf16().flat_map(order).collect()
    };
    let names = [name.to_owned(), name.to_lowercase()];
    let by_name = names.iter().any(|name| {
        contains(&utf16(u16::to_le_bytes, name)) || contains(&utf16(u16::to_be_bytes, name))
    });
    by_name || contains(&Sha256::digest(content))
}

/// The checks of a catalog that belongs to a skel.
pub fn check(cat: &[u8], skel_name: &str, skel: &[u8]) -> Vec<Finding> {
    let signed = match signers(cat) {
        None => Finding::problem(
            "catalog",
            format!("{} bytes that are no catalog", cat.len()),
            SIGN_AGAIN,
        ),
        Some(0) => Finding::problem(
            "catalog",
            format!("{} bytes without a signature", cat.len()),
            SIGN_AGAIN,
        ),
        Some(_) if cat.len() < MAKECAT_SIZE => Finding::problem(
            "catalog",
            format!(
                "only {} bytes: as small as what makecat writes, which devices refuse",
                cat.len()
            ),
            "make the catalog with Inf2Cat",
        ),
        Some(count) => Finding::cannot_tell(
            "catalog",
            format!("{} bytes, {count} signer(s)", cat.len()),
            "`signtool verify /v /pa` on the device says whether the certificate is trusted",
        ),
    };
    let listed = match lists(cat, skel_name, skel) {
        true => Finding::ok("catalog lists the skel", skel_name),
        false => Finding::problem(
            "catalog lists the skel",
            format!("neither the name {skel_name} nor the hash of its content is in the catalog"),
            SIGN_AGAIN,
        ),
    };
    vec![signed, listed]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::any_problem;
    use proptest::prelude::*;

    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        let len = content.len();
        let mut bytes = vec![tag];
        match len {
            short if short < 0x80 => bytes.push(short as u8),
            _ => bytes.extend([0x82, (len >> 8) as u8, len as u8]),
        }
        bytes.extend(content);
        bytes
    }

    /// A catalog with this many signers, whose certificates are `padding` bytes.
    fn catalog(name: &str, signers: usize, padding: usize) -> Vec<u8> {
        let listed: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let content = der(0x30, &der(0x04, &listed));
        let infos = der(0x30, b"signer").repeat(signers);
        let data = [
            der(0x02, &[1]),
            der(0x31, &[]),
            content,
            der(0xa0, &vec![7; padding]),
            der(0x31, &infos),
        ]
        .concat();
        der(
            0x30,
            &[der(0x06, &SIGNED_DATA), der(0xa0, &der(0x30, &data))].concat(),
        )
    }

    #[test]
    fn a_signed_catalog_that_lists_the_skel_is_no_problem() {
        let cat = catalog("libhmxwb_skel.so", 1, 4000);
        assert_eq!(signers(&cat), Some(1));
        assert!(!any_problem(&check(&cat, "libhmxwb_skel.so", b"elf")));
    }

    #[test]
    fn unsigned_small_foreign_and_wrong_ones_are_problems() {
        let problem = |cat: &[u8]| {
            let found = check(cat, "libhmxwb_skel.so", b"elf");
            found
                .into_iter()
                .find(|f| any_problem(std::slice::from_ref(f)))
                .expect("a problem")
                .seen
        };
        assert!(problem(&catalog("libhmxwb_skel.so", 0, 4000)).contains("without a signature"));
        assert!(problem(&catalog("libhmxwb_skel.so", 1, 900)).contains("makecat"));
        assert!(problem(&catalog("other.so", 1, 4000)).contains("neither the name"));
        assert!(problem(b"MZ").contains("no catalog"));
    }

    #[test]
    fn a_file_is_also_listed_by_its_hash() {
        let mut cat = catalog("other.so", 1, 4000);
        cat.extend(Sha256::digest(b"elf"));
        assert!(lists(&cat, "libhmxwb_skel.so", b"elf"));
        assert!(!lists(&cat, "libhmxwb_skel.so", b"elg"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = signers(&bytes);
        }

        #[test]
        fn a_catalog_cut_short_has_no_signer_count(cut in 1usize..4000) {
            let cat = catalog("x.so", 1, 4000);
            prop_assert_eq!(signers(&cat[..cat.len() - cut]), None);
        }
    }
}
