/// A regular expression from which texts can be generated.
///
/// Conditions that it ignores (look-ahead, word boundaries) must be checked by the caller with the real engine.
struct GeneratedPattern: Sendable {
    private let node: PatternNode

    /// Throws `PatternFault` if no text can be generated.
    init(_ pattern: String) throws(PatternFault) {
        var parser = PatternParser(pattern)
        node = try parser.whole()
    }

    /// Returns a text; repetitions exceed their minimum by at most `spread`.
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

/// Why no text can be generated from a pattern.
struct PatternFault: Error, Sendable, CustomStringConvertible {
    /// A part of a sentence: `back references`.
    let description: String
}
