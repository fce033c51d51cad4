import DocumentReading

/// Translates the nodes of a YAML document into steps, and collects what is wrong with them.
///
/// A function that returns nil has reported why.
struct EditScriptParser: YAMLFormReader {
    let document: YAMLDocument
    var problems: [DocumentError] = []

    /// The number of the format, behind the key `edits`.
    private static let formatNumber = 1
    private static let verbs = ["update", "delete", "insert", "relate", "unrelate"]

    init(_ document: YAMLDocument) {
        self.document = document
    }

    mutating func steps() -> [EditStep]? {
        let root = document.root
        guard root["edits"]?.integer == Int64(Self.formatNumber) else {
            report("a script of edits begins with \"edits: \(Self.formatNumber)\"", at: root.location)
            return nil
        }
        guard let fields = fields(of: root, what: "a script of edits", keys: ["edits", "steps"]) else { return nil }
        guard let node = fields["steps"], let items = list(of: node, what: "\"steps\"") else {
            if problems.isEmpty { report("a script of edits needs \"steps\", a list", at: root.location) }
            return nil
        }
        var steps: [EditStep] = []
        for item in items {
            if let step = step(item) { steps.append(step) }
        }
        return steps
    }

    private mutating func step(_ node: YAMLNode) -> EditStep? {
        guard let fields = fields(of: node, what: "a step", keys: Self.verbs + ["where", "set", "link", "to"])
        else { return nil }
        let verbs = Self.verbs.filter { fields.has($0) }
        guard verbs.count == 1, let verb = verbs.first,
            let subject = fields[verb].flatMap({ text($0, what: "\"\(verb)\"") })
        else {
            report("a step is one of \(Self.verbs.joined(separator: ", ")), with the name behind it", at: node.location)
            return nil
        }
        let allowed =
            ["update": ["where", "set"], "delete": ["where"], "insert": ["set", "link"]][verb] ?? ["where", "to"]
        for key in ["where", "set", "link", "to"] where fields.has(key) && !allowed.contains(key) {
            report("\"\(verb)\" has no \"\(key)\"", at: fields.location(key))
        }
        let filter = fields["where"].flatMap { text($0, what: "\"where\"") }
        if allowed.contains("where"), filter == nil {
            if !fields.has("where") {
                report("\"\(verb)\" needs \"where\", a predicate; TRUEPREDICATE finds all objects", at: node.location)
            }
            return nil
        }
        switch verb {
        case "update":
            guard let values = pairs(fields["set"], "set"), !values.isEmpty else {
                report("an update needs \"set\", attributes with expressions", at: node.location)
                return nil
            }
            return .update(subject, where: filter ?? "", set: values.map { EditAssignment($0.key, $0.text) })
        case "delete": return .delete(subject, where: filter ?? "")
        case "insert":
            guard let values = pairs(fields["set"], "set"), let links = pairs(fields["link"], "link") else {
                return nil
            }
            return .insert(
                subject, set: values.map { EditAssignment($0.key, $0.text) },
                link: links.map { EditLink($0.key, to: $0.text) })
        default: return link(verb, subject, filter ?? "", fields, node)
        }
    }

    private mutating func link(
        _ verb: String, _ subject: String, _ filter: String, _ fields: YAMLFields, _ node: YAMLNode
    ) -> EditStep? {
        let to = fields["to"].flatMap { text($0, what: "\"to\"") }
        guard let (entity, relationship) = RelationshipName.parts(of: subject) else {
            report("\"\(verb)\" names a relationship, Entity.relationship", at: fields.location(verb))
            return nil
        }
        if verb == "unrelate" { return .unrelate(entity, relationship: relationship, where: filter, to: to) }
        guard let to else {
            report("\"relate\" needs \"to\", a predicate on the destinations", at: node.location)
            return nil
        }
        return .relate(entity, relationship: relationship, where: filter, to: to)
    }

    /// Keys with texts; none without a node.
    private mutating func pairs(_ node: YAMLNode?, _ key: String) -> [(key: String, text: String)]? {
        guard let node else { return [] }
        guard let entries = entries(of: node, what: "\"\(key)\"") else { return nil }
        var pairs: [(key: String, text: String)] = []
        for entry in entries {
            guard let text = text(entry.value, what: "\"\(entry.key)\"") else { return nil }
            pairs.append((entry.key, text))
        }
        return pairs
    }
}
