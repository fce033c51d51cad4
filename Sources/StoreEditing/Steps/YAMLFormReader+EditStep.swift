public import DocumentReading
import PersistentStores

private let editVerbs = ["update", "delete", "insert", "relate", "unrelate"]

/// Steps in scripts of edits and in stages of a migration.
extension YAMLFormReader {
    /// Reads one step; nil if it is malformed, which is reported.
    ///
    /// - Parameters:
    ///   - node: the step, a mapping with one key for its kind.
    ///   - needsFilter: whether "where" is required; otherwise all objects are the default.
    public mutating func editStep(_ node: YAMLNode, needsFilter: Bool) -> EditStep? {
        let keys = ["where", "set", "setJSON", "link", "to", "unlink"]
        guard let fields = fields(of: node, what: "a step", keys: editVerbs + keys) else { return nil }
        let verbs = editVerbs.filter { fields.has($0) }
        guard verbs.count == 1, let verb = verbs.first,
            let subject = fields[verb].flatMap({ text($0, what: "\"\(verb)\"") })
        else {
            report("a step is one of \(editVerbs.joined(separator: ", ")), with the name behind it", at: node.location)
            return nil
        }
        let allowed =
            [
                "update": ["where", "set", "setJSON"], "delete": ["where", "unlink"],
                "insert": ["set", "setJSON", "link"],
            ][verb] ?? ["where", "to"]
        for key in keys where fields.has(key) && !allowed.contains(key) {
            report("\"\(verb)\" has no \"\(key)\"", at: fields.location(key))
        }
        let filter = fields["where"].flatMap { text($0, what: "\"where\"") }
        if allowed.contains("where"), filter == nil, needsFilter || fields.has("where") {
            if !fields.has("where") {
                report("\"\(verb)\" needs \"where\", a predicate; TRUEPREDICATE finds all objects", at: node.location)
            }
            return nil
        }
        switch verb {
        case "update":
            guard let values = assignments(fields) else { return nil }
            guard !values.isEmpty else {
                report(
                    "an update needs \"set\", attributes with expressions, or \"setJSON\", attributes with values",
                    at: node.location)
                return nil
            }
            return .update(subject, where: filter ?? EditStep.all, set: values)
        case "delete":
            let unlinks = fields["unlink"].flatMap { boolean($0, what: "\"unlink\"") } ?? false
            return .delete(subject, where: filter ?? EditStep.all, unlinking: unlinks ? .all : .byDeleteRules)
        case "insert":
            guard let values = assignments(fields), let links = pairs(fields["link"], "link") else { return nil }
            return .insert(subject, set: values, link: links.map { EditLink($0.key, to: $0.text) })
        default: return link(verb, subject, filter ?? EditStep.all, fields, node)
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

    /// Returns the attributes of a step with expressions, and those with values in JSON.
    private mutating func assignments(_ fields: YAMLFields) -> [EditAssignment]? {
        guard let values = pairs(fields["set"], "set"), let jsonValues = pairs(fields["setJSON"], "setJSON") else {
            return nil
        }
        return values.map { EditAssignment($0.key, $0.text) } + jsonValues.map { EditAssignment($0.key, json: $0.text) }
    }

    /// Returns keys with texts; an empty list without a node.
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
