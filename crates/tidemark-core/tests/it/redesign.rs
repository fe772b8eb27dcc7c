//! Redesigns in streams: each detector worked by hand, and what must hold for any stream.

use proptest::prelude::*;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::redesign::{
    Detection, Detector, Fingerprint, Settings, Shingling, Sketch, Step, Stream, Tags,
};

/// A document of which only the shingles are known.
fn shingles(set: &[u64]) -> Fingerprint {
    Fingerprint { shingles: Sketch::of(set.to_vec(), 100), ..Fingerprint::default() }
}

/// Old and new template: one of four shingles in common, similarity 0.25.
fn old() -> Fingerprint {
    shingles(&[1, 2, 3, 4])
}

fn new() -> Fingerprint {
    shingles(&[1, 5, 6, 7])
}

fn page(html: &str) -> Fingerprint {
    let digest = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
    Fingerprint::of(&digest, Shingling::default())
}

/// Two designs of one site; the number makes documents differ in content.
fn design(which: char, number: usize) -> Fingerprint {
    let text = "<p>words <em>more</em></p><ul><li>one</li></ul>".repeat(1 + number % 3);
    let [head, foot] = match which {
        'a' => [
            "<link rel=stylesheet href=/a.css><div id=top><h1>A</h1></div><div class=left><ul class=menu><li><a>x</a></li></ul></div><div class=text>",
            "</div><div class=foot><p>y</p></div>",
        ],
        'b' => [
            "<link rel=stylesheet href=/b.css><header class=bar><nav><a>x</a><a>y</a></nav></header><main><article class=post><h2>B</h2>",
            "</article></main><footer><small>z</small></footer>",
        ],
        'c' => [
            "<script src=/c.js></script><table class=page><tr><td class=logo><img></td></tr><tr><td class=body>",
            "</td></tr></table><form><input></form>",
        ],
        _ => ["<h1>nothing of the site</h1>", ""],
    };
    page(&format!("{head}{text}{foot}"))
}

fn run(settings: &Settings, documents: impl IntoIterator<Item = Fingerprint>) -> Vec<Step> {
    let mut stream = Stream::new(settings.clone());
    documents.into_iter().map(|document| stream.push(document)).collect()
}

fn raised(steps: &[Step]) -> Vec<Detection> {
    steps.iter().flat_map(Step::raised).copied().collect()
}

/// First document and delay of every detection.
fn found(settings: &Settings, documents: impl IntoIterator<Item = Fingerprint>) -> Vec<(u64, u64)> {
    raised(&run(settings, documents)).iter().map(|detection| (detection.first, detection.delay())).collect()
}

/// Designs by letter, such as `aaaabbbb`.
fn site(letters: &str) -> impl Iterator<Item = Fingerprint> {
    letters.chars().enumerate().map(|(number, letter)| design(letter, number))
}

fn only(detector: Detector, history: usize) -> Settings {
    Settings::of_the_paper(vec![detector], history)
}

fn assert_close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted}");
}

#[test]
fn the_matrix_by_hand() {
    // h = 2, documents o o n n: after d(3) the history is d(2) d(3).
    let mut stream = Stream::new(only(Detector::MaxAvgDiff, 2));
    let documents = [old(), old(), new(), new()];
    let steps: Vec<Step> = documents.into_iter().map(|document| stream.push(document)).collect();
    assert!(steps[0].similarities.is_empty());
    assert_eq!(steps[1].similarities, [1.0]);
    assert_eq!(steps[2].similarities, [0.25, 0.25]);
    assert_eq!(steps[3].similarities, [1.0, 0.25], "the nearest neighbour first");
    let matrix = stream.matrix();
    // s(j,k) = sim(d(1+k), d(1+k-j)).
    assert_eq!([matrix.at(1, 1), matrix.at(2, 1)], [Some(0.25), Some(0.25)], "d(2) with d(1) and d(0)");
    assert_eq!([matrix.at(1, 2), matrix.at(2, 2)], [Some(1.0), Some(0.25)], "d(3) with d(2) and d(1)");
    assert_eq!(matrix.lower().collect::<Vec<_>>(), [0.25, 0.25, 0.25], "s(1,1) s(2,1) s(2,2)");
    assert_eq!(matrix.upper().collect::<Vec<_>>(), [1.0], "s(1,2)");
}

#[test]
fn new_avg_drop_by_hand() {
    let steps = run(&only(Detector::NewAvgDrop, 3), [old(), old(), old(), old(), old(), new(), new(), new()]);
    // d(5) is like its three neighbours by 0.25; d(3) and d(4) were by 1. It must fall below 0.6.
    assert_close(steps[5].readings[0].value, 0.25);
    assert_close(steps[5].readings[0].bound, 0.6);
    let detections = raised(&steps);
    assert_eq!((detections[0].first, detections[0].delay()), (5, 1));
    // d(6) is like its neighbours by (1 + 0.25 + 0.25) / 3; the history's average is (1 + 0.25) / 2, six tenths of it 0.375.
    assert_close(steps[6].readings[0].value, 0.5);
    assert_close(steps[6].readings[0].bound, 0.375);
    assert_eq!(detections.len(), 1);
}

#[test]
fn new_avg_drop_takes_an_outlier_for_a_redesign() {
    let documents = [old(), old(), old(), old(), new(), old(), old(), old()];
    assert_eq!(found(&only(Detector::NewAvgDrop, 3), documents), [(4, 1)]);
}

#[test]
fn max_avg_diff_by_hand() {
    let steps = run(&only(Detector::MaxAvgDiff, 2), [old(), old(), new(), new(), new()]);
    // After d(3): the largest of s(1,1) s(2,1) s(2,2) is 0.25, the mean of s(1,2) is 1.
    assert_close(steps[3].readings[0].value, 0.25);
    assert_close(steps[3].readings[0].bound, 1.0);
    assert_eq!(steps[3].readings[0].report, Some(2));
    // After d(4): s(1,1) = sim(d(3), d(2)) = 1 is not below s(1,2) = 1.
    assert_close(steps[4].readings[0].value, 1.0);
    assert_eq!(steps[4].readings[0].report, None);
    let detections = raised(&steps);
    assert_eq!((detections.len(), detections[0].first, detections[0].delay()), (1, 2, 2));
}

#[test]
fn max_avg_diff_is_silent_until_the_matrix_is_full() {
    // The same shift one document too early.
    assert_eq!(found(&only(Detector::MaxAvgDiff, 2), [old(), new(), new(), new()]), []);
}

#[test]
fn statistics_by_hand() {
    let documents = [old(), old(), old(), new(), new(), new()];
    let steps = run(&only(Detector::Statistics, 3), documents);
    // Lower triangle: six times 0.25; upper triangle: three times 1. No spread, and two means.
    assert_close(steps[5].readings[0].value, 0.0);
    assert_close(steps[5].readings[0].bound, 0.001);
    assert_eq!(steps[5].readings[0].report, Some(3));
    // One template: both triangles have one mean.
    let steps = run(&only(Detector::Statistics, 3), vec![old(); 6]);
    assert_close(steps[5].readings[0].value, 1.0);
}

#[test]
fn statistics_asks_for_a_fall() {
    // A mixed site that becomes uniform among itself: the lower triangle must be lower, not only other.
    let strange = (10..13).map(|number| shingles(&[1, 2, 3, number]));
    let documents = vec![shingles(&[1, 2, 3]); 3].into_iter().chain(strange);
    let steps = run(&only(Detector::Statistics, 3), documents);
    assert!(steps.iter().all(|step| step.readings[0].report.is_none()));
}

#[test]
fn cluster_by_hand() {
    let settings = Settings { threshold: 0.3, ..only(Detector::Cluster, 8) };
    let shift = |count: usize| [vec![old(); 6], vec![new(); count]].concat();
    // After d(8) the last old document is still among the last four; after d(9) it is not.
    assert_eq!(found(&settings, shift(3)), []);
    assert_eq!(found(&settings, shift(4)), [(6, 4)]);
    // Below the threshold of the paper, both are one cluster.
    assert_eq!(found(&only(Detector::Cluster, 8), shift(8)), []);
}

#[test]
fn cluster_forgives_small_clusters() {
    // One outlier among old documents, then four new ones with an outlier: the share of 0.25 asks for two documents.
    let settings = Settings { threshold: 0.3, share: 0.25, ..only(Detector::Cluster, 8) };
    let outlier = |number| shingles(&[number, number + 1]);
    let steady = [vec![old(); 4], vec![outlier(50)], vec![old(); 7]].concat();
    assert_eq!(found(&settings, steady), []);
    let shift = [vec![old(); 6], vec![new(), outlier(60), new(), new()]].concat();
    assert_eq!(found(&settings, shift), [(6, 4)]);
}

#[test]
fn tidemark_by_hand() {
    // Designs without a shingle, scaffold or path in common: each document says 0.75 for the new one, the second for the first as well.
    let documents = [vec![old(); 10], vec![shingles(&[5, 6, 7]); 5]].concat();
    let steps = run(&Settings::default(), documents);
    let certainties: Vec<f64> = steps[10..].iter().map(|step| step.readings[0].value).collect();
    assert_close(certainties[0], 0.0);
    for (documents, certainty) in (2..).zip(&certainties[1..4]) {
        assert_close(*certainty, 1.0 - (-0.75 * f64::from(documents)).exp());
    }
    assert_eq!(raised(&steps).len(), 1);
    assert_eq!((raised(&steps)[0].first, raised(&steps)[0].delay()), (10, 4));
}

#[test]
fn tidemark_finds_redesigns_close_together() {
    assert_eq!(found(&Settings::default(), site("aaaaaaaaaabbbbbbbbcccccccc")), [(10, 4), (18, 4)]);
}

#[test]
fn tidemark_is_not_moved_by_strays() {
    assert_eq!(found(&Settings::default(), site("aaaaaaaaaaxaaaacccaaaabaaaabbaaxxaaa")), []);
}

#[test]
fn tidemark_takes_alternating_templates_for_one_site() {
    assert_eq!(found(&Settings::default(), site(&"aabbabaabab".repeat(12))), []);
    // Six of one in a row are nothing where they came and went ten times before.
    let runs = format!("aaaaaaaa{}bbbbbbaabab", "ab".repeat(10));
    assert_eq!(found(&Settings::default(), site(&runs)), []);
}

#[test]
fn tidemark_tells_a_roll_back() {
    let found = found(&Settings::default(), site("aaaaaaaaaaaabbbbbbbbbbaaaaaaaaaaaa"));
    assert_eq!(found.iter().map(|(first, _)| *first).collect::<Vec<_>>(), [12, 22]);
}

#[test]
fn tidemark_names_the_first_document_of_a_gradual_redesign() {
    let found = found(&Settings::default(), site("aaaaaaaaaaaabaabababbabbbbbbbbbbbbbbbbbbbbbb"));
    assert_eq!(found.iter().map(|(first, _)| *first).collect::<Vec<_>>(), [12]);
}

#[test]
fn it_can_be_asked_early_or_late() {
    let delays = [0.5, 0.95, 0.999].map(|certainty| {
        let settings = Settings { certainty, ..Settings::default() };
        found(&settings, site("aaaaaaaaaabbbbbbbbbbbbbbbb"))
    });
    let [early, usual, late] = delays.map(|found| {
        assert_eq!((found.len(), found[0].0), (1, 10));
        found[0].1
    });
    assert!(early < usual && usual < late, "{early} {usual} {late}");
}

#[test]
fn certainty_grows_with_each_document_and_a_shift_is_one_event() {
    for detector in Detector::ALL {
        let settings =
            Settings { detectors: vec![detector], history: 6, threshold: 0.3, ..Settings::default() };
        let steps = run(&settings, site("aaaaaaaaaaaaaaaabbbbbbbbbbbb"));
        assert_eq!(raised(&steps).len(), 1, "{detector}");
        let certainties: Vec<f64> =
            steps.iter().flat_map(|step| &step.detections).map(|d| d.certainty).collect();
        assert!(certainties.windows(2).take(4).all(|pair| pair[0] < pair[1]), "{detector}: {certainties:?}");
        assert!(certainties.iter().all(|certainty| (0.0..=1.0).contains(certainty)));
    }
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let settings = Settings { detectors: Detector::ALL.to_vec(), history: 5, ..Settings::default() };
    let mut stream = Stream::new(settings);
    // A site with 300 kinds of pages, which changes its design every 500 documents.
    let document = |design: u64, kind: u64| {
        let common = (0..10).map(|part| design * 10 + part);
        shingles(&common.chain((0..4).map(|part| 1000 + kind * 4 + part)).collect::<Vec<_>>())
    };
    let (mut largest, mut random) = (0, 1u64);
    for number in 0..100_000u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        stream.push(document(number / 500 % 20, (random >> 33) % 300));
        largest = largest.max(stream.retained());
    }
    assert_eq!(stream.documents(), 100_000);
    // History; and of seven designs the history and twelve kinds each.
    assert!(largest <= 5 + 7 * (5 + 12), "{largest} fingerprints");
    assert!(largest >= 5 + 5 + 12, "a stream with nothing to remember would prove nothing");
}

#[test]
fn hostile_documents_are_documents() {
    let huge = "<div class=x>".repeat(50_000);
    let names: String =
        (0..50_000).map(|number| format!("<x{number} class=y{number}></x{number}>")).collect();
    let pages = ["", "x", "<br>", "<p>", "\0\0", "<?xml?><a/>", "<frameset>", &huge, &names];
    let documents: Vec<Fingerprint> = (0..60).map(|number| page(pages[number * 7 % pages.len()])).collect();
    for history in [0, 1, 7] {
        let settings = Settings { detectors: Detector::ALL.to_vec(), history, ..Settings::default() };
        for step in run(&settings, documents.clone()) {
            assert!(step.similarities.iter().all(|similarity| (0.0..=1.0).contains(similarity)));
            assert!(
                step.readings.iter().all(|reading| reading.value.is_finite() && reading.bound.is_finite())
            );
        }
    }
    let [largest, stored] = [documents.iter().map(|d| d.paths.len()).max(), Some(2048)];
    assert_eq!(largest, stored, "a fingerprint is bounded");
}

#[test]
fn settings_that_make_no_sense_do_no_harm() {
    let settings = Settings {
        history: 3,
        detectors: Detector::ALL.to_vec(),
        certainty: f64::NAN,
        drop: -5.0,
        significance: 7.0,
        threshold: f64::INFINITY,
        second_horizon: 99,
        share: f64::NAN,
    };
    assert_eq!(run(&settings, site("aaaabbbbcccc")).len(), 12);
}

prop_compose! {
    fn documents()(letters in prop::collection::vec(prop::sample::select(vec!['a', 'b', 'c', 'x']), 1..12),
                   lengths in prop::collection::vec(1usize..9, 12)) -> Vec<Fingerprint> {
        let letters: String = letters.iter().zip(lengths).map(|(letter, length)| letter.to_string().repeat(length)).collect();
        site(&letters).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn similarity_is_symmetric_and_one_for_equals(
        one in prop::collection::vec(0u64..40, 0..40),
        other in prop::collection::vec(0u64..40, 0..40),
        most in 1usize..40,
    ) {
        let [one, other] = [one, other].map(|hashes| Sketch::of(hashes, most));
        let there = one.similarity(&other);
        prop_assert!((0.0..=1.0).contains(&there));
        prop_assert_eq!(there.to_bits(), other.similarity(&one).to_bits());
        prop_assert_eq!(one.similarity(&one).to_bits(), 1.0f64.to_bits());
    }

    #[test]
    fn a_stream_goes_on_as_if_it_had_not_been_stored(documents in documents(), history in 1usize..8, every in 1usize..9) {
        let settings = Settings { detectors: Detector::ALL.to_vec(), history, ..Settings::default() };
        let steps = run(&settings, documents.clone());
        let mut stream = Stream::new(settings);
        for (number, (document, step)) in documents.into_iter().zip(steps).enumerate() {
            prop_assert_eq!(&stream.push(document), &step);
            if number % every == 0 {
                stream = serde_json::from_str(&serde_json::to_string(&stream).unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn detections_are_of_documents_that_were_seen(documents in documents(), history in 1usize..8) {
        let settings = Settings { detectors: Detector::ALL.to_vec(), history, ..Settings::default() };
        for detection in raised(&run(&settings, documents)) {
            prop_assert!(detection.first <= detection.reported);
            prop_assert!((0.0..=1.0).contains(&detection.certainty));
        }
    }

    #[test]
    fn any_shingling_gives_a_set(length in 0usize..9, html in "(<(a|b|/a|/b|p|br)>|x){0,40}") {
        let digest = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        for tags in [Tags::Start, Tags::StartAndEnd] {
            let set = Shingling { length, tags }.shingles(&digest);
            prop_assert!(!set.is_empty());
            prop_assert_eq!(set.similarity(&set).to_bits(), 1.0f64.to_bits());
        }
    }
}
