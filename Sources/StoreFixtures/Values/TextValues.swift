import ManagedObjectModels

/// Texts that satisfy their lengths, patterns and predicates.
struct TextValues: ValueSource {
    let style: TextStyle
    /// The allowed lengths in UTF-16 units, as Core Data counts.
    let lengths: ClosedRange<Int>
    let pattern: GeneratedPattern?
    let check: ValueCheck
    /// A text that satisfies all rules, in case no other is found.
    private let known: String
    private let distinctForm: DistinctForm

    private enum DistinctForm {
        /// A text of the style that contains the number.
        case styled
        /// The number in digits and letters.
        case code(width: Int)
        /// The texts of the pattern, enumerated.
        case pattern(RigidPattern)
        /// Only the known text.
        case none
    }

    /// The length of long texts in units, if there is no maximum.
    private static let longest = 300
    /// The length in units from which on a text has room for a number.
    private static let numberedLength = 28

    /// Returns nil if no text is found that satisfies the rules.
    init?(style: TextStyle, lengths: ClosedRange<Int>, pattern: GeneratedPattern?, check: ValueCheck) {
        self.style = style
        self.lengths = lengths
        self.pattern = pattern
        self.check = check
        var random = SeededNumbers(SeededNumbers.number(of: style.rawValue))
        guard let known = Self.search(style, lengths, pattern, check, .ordinary, &random) else { return nil }
        self.known = known
        distinctForm = Self.distinctForm(style, lengths, pattern, check)
    }

    var capacity: Int {
        switch distinctForm {
        case .styled: .max
        case .code(let width): (0..<width).reduce(1) { product, _ in product.saturatingProduct(36) }
        case .pattern(let rigid): rigid.capacity
        case .none: 1
        }
    }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        if case .code = style, place.number < capacity { return distinct(place.number) }
        return .string(Self.search(style, lengths, pattern, check, place.kind, &random) ?? known)
    }

    func distinct(_ number: Int) -> AttributeValue {
        switch distinctForm {
        case .styled: return .string(Self.styled(style, lengths, number))
        case .code(let width): return .string(Self.code(number, width))
        case .pattern(let rigid): return .string(rigid.text(number))
        case .none: return .string(known)
        }
    }

    // MARK: Finding texts

    private static func search(
        _ style: TextStyle, _ lengths: ClosedRange<Int>, _ pattern: GeneratedPattern?, _ check: ValueCheck,
        _ kind: RowKind,
        _ random: inout SeededNumbers
    ) -> String? {
        func isGood(_ text: String) -> Bool { lengths.contains(text.utf16.count) && check.accepts(.string(text)) }
        // A text by the name is more readable than one from a pattern, so it is tried first.
        let first = fitted(candidate(style, lengths, kind, &random), lengths)
        if isGood(first) { return first }
        if kind != .ordinary {
            let plain = fitted(style.text(nil, &random), lengths)
            if pattern == nil, isGood(plain) { return plain }
        }
        guard let pattern else {
            for _ in 0..<40 {
                let text = fitted(style.text(nil, &random), lengths)
                if isGood(text) { return text }
            }
            return nil
        }
        let spreads =
            switch kind {
            case .least: [0, 1, 2, 4, 8, 16, 32, 64]
            case .greatest: [64, 16, 8, 4, 2, 1, 0]
            default: [5, 2, 8, 0, 12, 24, 48, 96]
            }
        for spread in spreads {
            for _ in 0..<12 {
                let text = pattern.text(spread: spread, &random)
                if isGood(text) { return text }
            }
        }
        return nil
    }

    private static func candidate(
        _ style: TextStyle, _ lengths: ClosedRange<Int>, _ kind: RowKind, _ random: inout SeededNumbers
    ) -> String {
        switch kind {
        case .least: return ""
        case .greatest:
            var text = style.text(nil, &random)
            while text.utf16.count < min(lengths.upperBound, longest) { text += " " + random.pick(Vocabulary.words) }
            return text
        case .foreign: return random.pick(Vocabulary.foreignTexts)
        default: return style.text(nil, &random)
        }
    }

    /// Returns the text, truncated or extended to the lengths; surrogate pairs are not split.
    static func fitted(_ text: String, _ lengths: ClosedRange<Int>) -> String {
        var text = text
        var count = text.utf16.count
        if count > lengths.upperBound {
            var scalars = text.unicodeScalars
            while count > lengths.upperBound, let last = scalars.popLast() { count -= last.value > 0xFFFF ? 2 : 1 }
            text = String(scalars)
        }
        if count < lengths.lowerBound {
            let filler = Vocabulary.words.joined(separator: " ")
            while count < lengths.lowerBound {
                let part = (text.isEmpty ? "" : " ") + filler
                text += String(part.unicodeScalars.prefix(lengths.lowerBound - count))
                count = text.utf16.count
            }
        }
        return text
    }

    // MARK: Different texts

    private static func distinctForm(
        _ style: TextStyle, _ lengths: ClosedRange<Int>, _ pattern: GeneratedPattern?, _ check: ValueCheck
    ) -> DistinctForm {
        let samples = [0, 1, 2, 9, 10, 35, 36, 99, 1234, 99_999]
        func isGood(_ text: (Int) -> String) -> Bool {
            samples.allSatisfy { lengths.contains(text($0).utf16.count) && check.accepts(.string(text($0))) }
        }
        if lengths.upperBound >= numberedLength, isGood({ styled(style, lengths, $0) }) { return .styled }
        let width = min(12, lengths.upperBound)
        if width > 0, lengths.contains(width), pattern == nil {
            let capacity = (0..<width).reduce(1) { product, _ in product.saturatingProduct(36) }
            if isGood({ code($0 % capacity, width) }) { return .code(width: width) }
        }
        if let pattern {
            for spread in [0, 1, 2, 4, 8, 16, 32, 64] {
                let rigid = pattern.rigid(spread: spread)
                // Enough for any store, or as many as possible.
                guard rigid.capacity >= 1 << 30 || spread == 64 || spread >= pattern.longestSpread else { continue }
                if isGood({ rigid.text($0 % max(1, rigid.capacity)) }) { return .pattern(rigid) }
            }
            for spread in [8, 4, 2, 1, 0] {
                let rigid = pattern.rigid(spread: spread)
                if rigid.capacity > 1, isGood({ rigid.text($0 % rigid.capacity) }) { return .pattern(rigid) }
            }
        }
        return .none
    }

    /// Returns a text that contains the number: truncated if it is too long, and extended before the number.
    private static func styled(_ style: TextStyle, _ lengths: ClosedRange<Int>, _ number: Int) -> String {
        var random = SeededNumbers(SeededNumbers.mixed(UInt64(number)))
        let text = style.text(number, &random)
        if lengths.contains(text.utf16.count) { return text }
        let ending = " \(number + 1)"
        let room = max(0, lengths.lowerBound - ending.count)...max(0, lengths.upperBound - ending.count)
        return fitted(style.text(nil, &random), room) + ending
    }

    private static func code(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 36)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
