/// Parses the content of brackets: characters, ranges, escapes, nested classes, intersections.
struct CharacterClassParser {
    private var depth = 0

    /// Returns the members of a class, after its opening bracket.
    mutating func members(_ parser: inout PatternParser) throws(PatternFault) -> [Unicode.Scalar] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 16 else { throw PatternFault(description: "classes that are nested too deeply") }
        let isNegated = parser.skip("^")
        var members: [Unicode.Scalar] = []
        var intersected: [[Unicode.Scalar]] = []
        var isFirst = true
        while true {
            if parser.skip("&&") {
                intersected.append(members)
                members = []
                continue
            }
            if parser.skip("[:") {
                let name = try parser.text(until: ":")
                guard parser.skip("]"), let named = CharacterSets.named(name.replacing("^", with: "")) else {
                    throw PatternFault(description: "the class [:\(name):]")
                }
                members += name.hasPrefix("^") ? CharacterSets.complement(of: named) : named
                isFirst = false
                continue
            }
            let scalar = try parser.take()
            if scalar == "]", !isFirst { break }
            isFirst = false
            if scalar == "[" {
                members += try self.members(&parser)
                continue
            }
            let first = try single(scalar, &parser)
            // A hyphen before the bracket is literal, and not a range.
            guard first.count == 1, parser.current == "-" else {
                members += first
                continue
            }
            parser.position += 1
            guard let end = parser.current, end != "]", end != "[" else {
                members += first + ["-"]
                continue
            }
            let last = try single(try parser.take(), &parser)
            guard last.count == 1, first[0] <= last[0] else {
                throw PatternFault(description: "a range that ends before it begins")
            }
            members += CharacterSets.scalars(first[0]...last[0])
        }
        for other in intersected { members = members.filter(other.contains) }
        let result = isNegated ? CharacterSets.complement(of: members) : unique(members)
        guard !result.isEmpty else { throw PatternFault(description: "a class without a character") }
        return result
    }

    private func single(
        _ scalar: Unicode.Scalar, _ parser: inout PatternParser
    ) throws(PatternFault) -> [Unicode.Scalar] {
        guard scalar == "\\" else { return [scalar] }
        guard let members = try parser.escapedCharacters() else {
            throw PatternFault(description: "the escape \\\(try parser.take())")
        }
        return members
    }

    /// Returns the members in order without duplicates, which would make texts equal that must differ.
    private func unique(_ members: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var seen: Set<Unicode.Scalar> = []
        return members.filter { seen.insert($0).inserted }
    }
}
