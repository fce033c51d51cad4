/// A regular expression of which texts can be made.
///
/// What it leaves open (look-ahead, word boundaries) is for the caller to check with the real engine.
struct GeneratedPattern: Sendable {
    private let node: PatternNode

    /// Throws `PatternFault` for what no text can be made of.
    init(_ pattern: String) throws(PatternFault) {
        var parser = PatternParser(pattern)
        node = try parser.whole()
    }

    /// A text; repetitions are at most so many more than their minimum.
    func text(spread: Int, _ random: inout SeededNumbers) -> String {
        var scalars = String.UnicodeScalarView()
        node.append(to: &scalars, spread: spread, &random)
        return String(scalars)
    }

    func rigid(spread: Int) -> RigidPattern {
        var places: [[Unicode.Scalar]] = []
        node.appendPlaces(to: &places, spread: spread)
        return RigidPattern(places: places)
    }

    var longestSpread: Int { node.longestSpread }
}

/// Why no text can be made of a pattern.
struct PatternFault: Error, Sendable, CustomStringConvertible {
    /// A part of a sentence: `back references`.
    let description: String
}
