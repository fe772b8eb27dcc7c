//! Letters as strokes, for pictures made of pixels: no font has to be there, and none is shipped.
//!
//! Each letter is a few strokes on a small grid: a point is two digits, column and row; strokes have a space between them; a point twice is a dot.
//! Capitals stand between rows 0 and 6, small letters begin in row 2, what hangs below ends in row 8. What is not in the table is a box.

/// From space to tilde.
const LETTERS: [&str; 95] = [
    "",
    "0004 0606",
    "0002 2022",
    "1016 3036 0242 0444",
    "413010010213334445361605 2026",
    "0640 0010110100 3545463635",
    "4612112031320405162644",
    "0002",
    "10010516",
    "00111506",
    "2125 0244 0442",
    "2226 0444",
    "1607",
    "0434",
    "0606",
    "0630",
    "103041453616050110",
    "011016",
    "01103041420646",
    "01103041423313 334445361605",
    "36300444",
    "400002324345361605",
    "413010010516364544331304",
    "004016",
    "103041423313020110 1304051636454433",
    "051636454130100102133342",
    "0303 0606",
    "1313 1607",
    "320436",
    "0333 0535",
    "023406",
    "01103041422324 2626",
    "46160501103041443432 322213142434",
    "062046 1434",
    "06003041423303 3344453606",
    "4130100105163645",
    "00304145360600",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "0006",
    "3035261605",
    "0006 4004 1346",
    "000636",
    "0600244046",
    "06004640",
    "104051554616050110",
    "06003041423303",
    "104051554616050110 3456",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016325660",
    "0046 4006",
    "002340 2326",
    "00400646",
    "10000616",
    "0036",
    "00101606",
    "022042",
    "0747",
    "0011",
    "3236 3322120305162635",
    "0006 0312223335261605",
    "3322120305162635",
    "3036 3322120305162635",
    "04343322120305162635",
    "201116 0222",
    "3237281807 3322120305162635",
    "0006 0312223336",
    "0206 0000",
    "121708 1010",
    "0006 3205 1436",
    "0006",
    "0206 0312223336 3342526366",
    "0206 0312223336",
    "122233352616050312",
    "0208 0312223335261605",
    "3238 3322120305162635",
    "0206 031222",
    "33221203142435261605",
    "111526 0222",
    "0205162635 3236",
    "022642",
    "0216335662",
    "0236 3206",
    "0226 4218",
    "02320636",
    "20111203141526",
    "0007",
    "00111223141506",
    "04132433",
];
const BOX: &str = "0030360600";
/// Width and height of a step of the grid, for letters of size 1.
const STEP: (f64, f64) = (0.105, 0.12);
/// Room after a letter, and a space, in steps.
const GAP: f64 = 1.6;
const SPACE: f64 = 1.6;

/// The strokes of words that begin at 0 on the baseline, y downwards, and how wide the words are.
pub(super) fn strokes(words: &str, size: f64) -> (Vec<Vec<(f64, f64)>>, f64) {
    let (mut strokes, mut at) = (Vec::new(), 0.0);
    for letter in words.chars().map(letter) {
        let mut width = if letter.is_empty() { SPACE } else { 0.0 };
        for stroke in letter.split(' ').filter(|stroke| !stroke.is_empty()) {
            let points: Vec<(f64, f64)> = points(stroke).collect();
            width = points.iter().map(|point| point.0).fold(width, f64::max);
            let place = |(x, y): (f64, f64)| ((at + x) * STEP.0 * size, (y - 6.0) * STEP.1 * size);
            strokes.push(points.into_iter().map(place).collect());
        }
        at += width + GAP;
    }
    (strokes, (at - GAP).max(0.0) * STEP.0 * size)
}

fn letter(character: char) -> &'static str {
    match character {
        ' '..='~' => LETTERS[character as usize - ' ' as usize],
        '–' | '—' => "0444",
        '…' => "0606 2626 4646",
        '·' => "0404",
        _ => BOX,
    }
}

fn points(stroke: &str) -> impl Iterator<Item = (f64, f64)> {
    let digit = |byte: u8| f64::from(byte.saturating_sub(b'0'));
    stroke.as_bytes().chunks_exact(2).map(move |pair| (digit(pair[0]), digit(pair[1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_well_written_and_none_is_another() {
        for (at, letter) in LETTERS.iter().enumerate().skip(1) {
            for stroke in letter.split(' ') {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{at}: {stroke}");
                assert!(points(stroke).all(|(x, y)| x <= 6.0 && y <= 8.0), "{at}: {stroke}");
            }
        }
        let mut seen = LETTERS.to_vec();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), LETTERS.len() - 1, "I and l are the same stroke, and nothing else");
    }

    #[test]
    fn words_grow_to_the_right_and_stand_on_the_baseline() {
        let (short, long) = (strokes("tide", 12.0), strokes("tidemark", 12.0));
        assert!(short.1 > 15.0 && long.1 > 1.7 * short.1, "{} {}", short.1, long.1);
        assert!(
            long.0.iter().flatten().all(|&(x, y)| (0.0..=long.1).contains(&x) && (-9.0..=3.0).contains(&y))
        );
        assert_eq!(strokes("日", 12.0).0.len(), 1, "what is not there is a box");
    }
}
