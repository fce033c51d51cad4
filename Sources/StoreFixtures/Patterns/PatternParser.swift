/// Parses ICU's regular expressions, as far as they are commonly used: classes, quantifiers, groups, alternatives,
/// escapes, anchors. Look-ahead and look-behind are skipped.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    var position = 0
    private var depth = 0

    /// The maximum depth of groups; deeper ones do not occur in practice, and each level takes stack space.
    private static let deepest = 64

    init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    mutating func whole() throws(PatternFault) -> PatternNode {
        let node = try alternatives()
        guard position == scalars.count else { throw PatternFault(description: "a parenthesis that nothing opens") }
        return node
    }

    var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take() throws(PatternFault) -> Unicode.Scalar {
        guard let scalar = current else { throw PatternFault(description: "an end in the middle of something") }
        position += 1
        return scalar
    }

    mutating func skip(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Returns the text up to a character, which is skipped.
    mutating func text(until end: Unicode.Scalar) throws(PatternFault) -> String {
        var text = String.UnicodeScalarView()
        while true {
            let scalar = try take()
            if scalar == end { return String(text) }
            text.append(scalar)
        }
    }

    // MARK: Structure

    private mutating func alternatives() throws(PatternFault) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw PatternFault(description: "groups that are nested too deeply") }
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternFault) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            let part = try atom()
            parts.append(try quantified(part))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func quantified(_ part: PatternNode) throws(PatternFault) -> PatternNode {
        var result = part
        while let scalar = current {
            switch scalar {
            case "*": result = .repeated(result, minimum: 0, maximum: nil)
            case "+": result = .repeated(result, minimum: 1, maximum: nil)
            case "?": result = .repeated(result, minimum: 0, maximum: 1)
            case "{":
                position += 1
                let bounds = try text(until: "}").split(separator: ",", omittingEmptySubsequences: false)
                guard let minimum = Int(bounds[0].filter { $0 != " " }), minimum >= 0, bounds.count <= 2 else {
                    throw PatternFault(description: "a repetition without numbers")
                }
                let last = bounds.count == 2 ? bounds[1].filter { $0 != " " } : String(minimum)
                let maximum = last.isEmpty ? nil : Int(last)
                guard last.isEmpty || maximum != nil, maximum ?? .max >= minimum else {
                    throw PatternFault(description: "a repetition whose numbers contradict each other")
                }
                result = .repeated(result, minimum: minimum, maximum: maximum)
                position -= 1
            default: return result
            }
            position += 1
            // Lazy and possessive quantifiers give the same texts.
            if !skip("?") { _ = skip("+") }
        }
        return result
    }

    private mutating func atom() throws(PatternFault) -> PatternNode {
        let scalar = try take()
        switch scalar {
        case ".": return .characters(CharacterSets.any)
        case "^", "$": return .nothing
        case "[":
            var parser = CharacterClassParser()
            return .characters(try parser.members(&self))
        case "(": return try group()
        case "\\": return try escape()
        default: return .characters([scalar])
        }
    }

    private mutating func group() throws(PatternFault) -> PatternNode {
        var isPassedOver = false
        if skip("?") {
            if skip("=") || skip("!") || skip("<=") || skip("<!") || skip("#") {
                isPassedOver = true
            } else if skip("<") {
                _ = try text(until: ">")
            } else if !skip(":"), !skip(">") {
                // Flags for the rest or for a group, such as case and lines, which make no difference here.
                var isEnabling = true
                while let flag = current, flag != ")", flag != ":" {
                    position += 1
                    if flag == "-" { isEnabling = false }
                    guard flag != "x" || !isEnabling else { throw PatternFault(description: "comments in the pattern") }
                }
                if skip(")") { return .nothing }
                _ = skip(":")
            }
        }
        let node = try alternatives()
        guard skip(")") else { throw PatternFault(description: "a parenthesis that nothing closes") }
        return isPassedOver ? .nothing : node
    }

    // MARK: Escapes

    private mutating func escape() throws(PatternFault) -> PatternNode {
        if let characters = try escapedCharacters() { return .characters(characters) }
        switch try take() {
        case "b", "B", "A", "z", "Z", "G": return .nothing
        case "Q":
            var parts: [PatternNode] = []
            while current != nil, !skip("\\E") { parts.append(.characters([try take()])) }
            return .sequence(parts)
        case "R": return .characters(["\n"])
        case "X": return .characters(CharacterSets.any)
        case "1"..."9", "k": throw PatternFault(description: "a back reference")
        case let other: throw PatternFault(description: "the escape \\\(other)")
        }
    }

    /// Returns the characters of an escape inside and outside a class; nil, without consuming anything, for others.
    mutating func escapedCharacters() throws(PatternFault) -> [Unicode.Scalar]? {
        let scalar = try take()
        switch scalar {
        case "d": return CharacterSets.digits
        case "D": return CharacterSets.letters
        case "w": return CharacterSets.words
        case "W": return ["-", " ", ".", "!"]
        case "s", "h": return CharacterSets.spaces
        case "S": return CharacterSets.any
        case "n": return ["\n"]
        case "r": return ["\r"]
        case "t": return ["\t"]
        case "f": return ["\u{C}"]
        case "a": return ["\u{7}"]
        case "e": return ["\u{1B}"]
        case "p", "P":
            let name = skip("{") ? try text(until: "}") : String(try take())
            let isNegated = (scalar == "P") != name.hasPrefix("^")
            let plain = name.split(separator: "=").last.map { String($0).replacing("^", with: "") } ?? ""
            guard let members = CharacterSets.named(plain) else {
                throw PatternFault(description: "the property \(name)")
            }
            return isNegated ? CharacterSets.complement(of: members) : members
        case "u": return [try hexadecimal(4)]
        case "U": return [try hexadecimal(8)]
        case "x": return [skip("{") ? try Self.scalar(try text(until: "}")) : try hexadecimal(2)]
        default:
            // Characters other than letters and digits are literal.
            let isPlain = !(CharacterSets.letters + CharacterSets.digits).contains(scalar)
            if isPlain { return [scalar] }
            position -= 1
            return nil
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(PatternFault) -> Unicode.Scalar {
        var digits = ""
        for _ in 0..<count { digits.unicodeScalars.append(try take()) }
        return try Self.scalar(digits)
    }

    private static func scalar(_ digits: String) throws(PatternFault) -> Unicode.Scalar {
        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else {
            throw PatternFault(description: "the character number \(digits)")
        }
        return scalar
    }
}
