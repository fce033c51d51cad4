import ManagedObjectModels
import RecordSources
import TextEncodings

/// The comments of a draft about one object: what is not mapped, and why.
struct ObjectNotes {
    private(set) var object: [String] = []
    private(set) var attributes: [String] = []
    private(set) var relationships: [String] = []
    private var mentioned = Set<Int>()

    /// The maximum number of columns that are listed individually.
    private static let largestList = 40

    mutating func mention(_ field: Int) { mentioned.insert(field) }

    /// Returns the comment beside a mapped attribute: its type, and what is uncertain.
    ///
    /// - Parameter check: a remark about violations of the model's rules in the sample; nil if there are none.
    static func remark(on match: AttributeMatch, _ check: String? = nil) -> String {
        var parts = [match.attribute.type.name + (match.attribute.isOptional ? "" : ", required")]
        switch match.likeness {
        case .hint: parts.append("named in the model")
        case .prefixed, .path, .synonym, .contained: parts.append("by a similar name")
        case .equal, .words: break
        }
        if match.hints.usesDefault { parts.append("the model's default where there is no value") }
        if let remark = match.conversion.remark {
            parts.append(remark)
        } else if !match.values.fields.isEmpty {
            parts.append("such as \(match.values.examples(1).map(CommentText.quoted).joined())")
        }
        if let check { parts.append(check) }
        return parts.joined(separator: "; ")
    }

    mutating func unusable(_ match: AttributeMatch) {
        attributes.append("\(match.attribute.name): \(match.path)")
        attributes.append(
            "  not mapped: \(match.conversion.example ?? "no value converts") (\(match.attribute.type.name))")
    }

    mutating func unusable(_ relationship: String, _ path: String, _ reason: String) {
        relationships.append("\(relationship): \(path)")
        relationships.append("  not mapped: \(reason)")
    }

    mutating func unfilled(_ required: [ResolvedAttribute]) {
        for attribute in required {
            attributes.append(
                "\(attribute.name): {constant: ...}  required (\(attribute.type.name)), and no column has its name; "
                    + "new objects are rejected without it")
        }
    }

    mutating func unfilled(_ required: ResolvedRelationship) {
        relationships.append("\(required.name): ...  required, and no column has its name")
    }

    mutating func noKey(_ entity: String, isPart: Bool) {
        object.append(
            isPart
                ? "No key was found: each \(entity) is looked for among those of the object that it lies in."
                : "No key was found: each import makes a new \(entity) of every record.")
        object.append("key: ...")
    }

    mutating func guessedKey(_ key: String, _ entity: String, count: Int) {
        object.append(
            "No key is declared: each import makes a new \(entity) of every record. A guess, since no")
        object.append("two of \(count) records seen have the same:")
        object.append("key: \(key)")
    }

    /// Returns the indexes of the unused fields.
    func rest(of fields: [SampledField]) -> [Int] { fields.indices.filter { !mentioned.contains($0) } }

    /// Adds notes about the unused columns, and what they may mean.
    ///
    /// - Parameter open: the names of the properties without a value.
    mutating func unmatched(_ fields: [(offset: Int, element: SampledField)], open: [String]) {
        let rest = fields.filter { !mentioned.contains($0.offset) }.map(\.element)
        guard !rest.isEmpty else { return }
        attributes.append("Not mapped, since no property has such a name:")
        for field in rest.prefix(Self.largestList) {
            let content = field.part.map { " (\($0.fields.count) values in each)" } ?? ""
            let examples = CommentText.examples(field.values)
            let guess = NearestName.find(NameWords(field.name).joined, among: open).map { "; perhaps \($0)?" } ?? ""
            attributes.append("  \(field.path)\(content)" + (examples.isEmpty ? "" : ": \(examples)") + guess)
        }
        if rest.count > Self.largestList { attributes.append("  and \(rest.count - Self.largestList) more") }
        guard !open.isEmpty else { return }
        let more = open.count > Self.largestList ? " and \(open.count - Self.largestList) more" : ""
        attributes.append(
            "Properties that no column fills: \(open.prefix(Self.largestList).joined(separator: ", "))\(more)")
    }
}
