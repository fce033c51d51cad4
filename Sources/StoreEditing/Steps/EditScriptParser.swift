import DocumentReading

/// Translates the nodes of a YAML document into steps, and collects errors.
///
/// A function that returns nil has reported the reason.
struct EditScriptParser: YAMLFormReader {
    let document: YAMLDocument
    var problems: [DocumentError] = []

    /// The number of the format, after the key `edits`.
    private static let formatNumber = 1

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
            if let step = editStep(item, needsFilter: true) { steps.append(step) }
        }
        return steps
    }
}
