/// What became of a case.
struct Verdict: CustomStringConvertible {
    let kind: String
    let name: String

    /// What Core Data says otherwise than Ferry.
    var failures: [String] = []

    /// What is worth knowing.
    var notes: [String] = []

    init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    var description: String {
        let lines = failures.map { "    failed: \($0)" } + notes.map { "    note: \($0)" }
        return ([(failures.isEmpty ? "passed" : "FAILED") + "  \(kind) \(name)"] + lines).joined(separator: "\n")
    }

    /// Adds a failure if two values differ.
    mutating func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { failures.append("\(what): Core Data has \(found), Ferry \(expected)") }
    }
}
