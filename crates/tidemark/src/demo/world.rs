//! What the little site is made of, as a function of its age alone: asked twice at one age, a page says the same.

/// Headlines, the latest first.
pub(super) struct World {
    /// Age of the site in tenths of a second.
    pub(super) age: u64,
    /// Requests of the page so far: what makes a token new each time.
    pub(super) requests: u64,
}

const HEADLINES: [(&str, &str); 8] = [
    ("Harbour festival draws record crowd", "Some 12 000 visitors came to the quay on the first evening."),
    ("New tram line opens on Monday", "It links the station with the university in eleven minutes."),
    ("Storm closes coastal road", "The council expects it to be clear again by Thursday."),
    ("Library extends opening hours", "From next month it is open until nine in the evening."),
    ("Lighthouse to be restored", "Work begins in spring and is paid for by a fund of citizens."),
    ("Ferry timetable changes", "The last boat now leaves at 22:40."),
    ("Old mill becomes a museum", "It tells how flour was made for four hundred years."),
    ("School orchestra wins prize", "The jury praised its courage in the slow movement."),
];

const GOODS: [(&str, u32); 6] = [
    ("Copper kettle", 4990),
    ("Tea strainer", 690),
    ("Blue mug", 1250),
    ("Honey jar", 890),
    ("Oak tray", 3400),
    ("Linen towel", 1490),
];

impl World {
    fn seconds(&self) -> u64 {
        self.age / 10
    }

    /// Headlines of the news page: a new one every six seconds.
    pub(super) fn headlines(&self) -> Vec<(&'static str, &'static str)> {
        let count = 3 + (self.seconds() / 6) as usize;
        HEADLINES[..count.min(HEADLINES.len())].iter().rev().copied().collect()
    }

    /// Goods with their prices in cents; the kettle gets cheaper, the mug dearer, and rows come.
    pub(super) fn goods(&self) -> Vec<(&'static str, u32)> {
        let seconds = self.seconds();
        let count = if seconds < 15 { 4 } else { 5 + usize::from(seconds >= 27) };
        let price = |(name, price): (&'static str, u32)| match name {
            "Copper kettle" if seconds >= 2 => (name, price - 500),
            "Blue mug" if seconds >= 11 => (name, price + 200),
            "Honey jar" if seconds >= 21 => (name, price - 100),
            _ => (name, price),
        };
        GOODS[..count].iter().copied().map(price).collect()
    }

    /// Entries of the feed: one more every eight seconds.
    pub(super) fn entries(&self) -> u64 {
        2 + self.seconds() / 8
    }

    /// Whether the blog has its new design.
    pub(super) fn is_redesigned(&self) -> bool {
        self.seconds() >= 12
    }

    /// Which of two servers answers: they do not agree.
    pub(super) fn second_server(&self) -> bool {
        self.requests / 2 % 2 == 1
    }

    /// A real change of the page that has a clock.
    pub(super) fn is_late(&self) -> bool {
        self.seconds() >= 17
    }

    /// The time of the site, which began at noon.
    pub(super) fn clock(&self) -> String {
        // Two looks at the same tenth of a second are told apart, too.
        let tenths = self.age + self.requests;
        format!("12:{:02}:{:02}.{}", tenths / 600 % 60, tenths / 10 % 60, tenths % 10)
    }

    /// Something new with every request.
    pub(super) fn token(&self) -> String {
        format!("{:016x}", (self.requests + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
