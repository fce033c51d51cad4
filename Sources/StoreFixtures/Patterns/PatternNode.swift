/// A part of a regular expression, as far as it is relevant for generating texts.
indirect enum PatternNode: Sendable {
    /// One of these characters; never empty.
    case characters([Unicode.Scalar])
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition with a minimum and a maximum; nil for no maximum.
    case repeated(PatternNode, minimum: Int, maximum: Int?)

    /// An empty part, such as an anchor.
    static let nothing = PatternNode.sequence([])

    /// The maximum number of repetitions, regardless of the pattern.
    static let mostRepetitions = 512

    /// Appends a text; repetitions without a maximum exceed their minimum by at most `spread`.
    func append(to text: inout String.UnicodeScalarView, spread: Int, _ random: inout SeededNumbers) {
        // A repetition of repetitions can require billions.
        guard text.count < 8192 else { return }
        switch self {
        case .characters(let scalars): text.append(random.pick(scalars))
        case .sequence(let parts): for part in parts { part.append(to: &text, spread: spread, &random) }
        case .choice(let parts): random.pick(parts).append(to: &text, spread: spread, &random)
        case .repeated(let part, let minimum, let maximum):
            let most = min(maximum ?? .max, minimum.addingSaturated(spread), max(minimum, Self.mostRepetitions))
            let count = minimum + random.below(max(0, most - minimum) + 1)
            for _ in 0..<min(count, Self.mostRepetitions * 4) {
                let before = text.count
                part.append(to: &text, spread: spread, &random)
                // A repetition that was empty once can be empty in all further rounds; nested, they would be endless.
                if text.count == before { break }
            }
        }
    }

    /// Appends the characters for each position, with every repetition and choice decided, so that all texts have the
    /// same length.
    func appendPlaces(to places: inout [[Unicode.Scalar]], spread: Int) {
        guard places.count < 8192 else { return }
        switch self {
        case .characters(let scalars): places.append(scalars)
        case .sequence(let parts): for part in parts { part.appendPlaces(to: &places, spread: spread) }
        case .choice(let parts):
            // The alternative with the most texts.
            var best: [[Unicode.Scalar]] = []
            for part in parts {
                var own: [[Unicode.Scalar]] = []
                part.appendPlaces(to: &own, spread: spread)
                let isLarger = RigidPattern(places: own).capacity > RigidPattern(places: best).capacity
                if best.isEmpty || isLarger { best = own }
            }
            places += best
        case .repeated(let part, let minimum, let maximum):
            let most = min(maximum ?? .max, minimum.addingSaturated(spread), max(minimum, Self.mostRepetitions))
            for _ in 0..<min(most, Self.mostRepetitions * 4) {
                let before = places.count
                part.appendPlaces(to: &places, spread: spread)
                if places.count == before { break }
            }
        }
    }

    /// The maximum number of repetitions that a part allows beyond its minimum, up to 64.
    var longestSpread: Int {
        switch self {
        case .characters: 0
        case .sequence(let parts), .choice(let parts): parts.map(\.longestSpread).max() ?? 0
        case .repeated(let part, let minimum, let maximum):
            max(part.longestSpread, min(64, (maximum ?? .max) - minimum))
        }
    }
}

extension Int {
    func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
