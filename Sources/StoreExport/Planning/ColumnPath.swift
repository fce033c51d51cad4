import RecordSources
import StoreFetching

/// A column or path of a mapping as the steps that a writer makes of it: `times.start`, `"a.b"`, `tags[*]`, `at[0]`.
struct ColumnPath {
    let steps: [RecordStep]
    /// Whether it has several values: `tags[*]`, or `tags[*].name`.
    let isList: Bool
    /// The key of the value in each element of a list: `name` of `tags[*].name`.
    let elementKey: String?
    /// Whether it asks for the text of an XML element: `text()`, or `.`.
    let isText: Bool

    /// A record with more values at one place is not a record that a person would write.
    private static let largestItem = 999

    /// nil for a path into parts of the parts of a record: `a[*].b.c`, `[0].a`.
    init?(_ text: String) {
        var parser = RecordPathParser(text)
        guard let parsed = try? parser.parse() else { return nil }
        var steps: [RecordStep] = []
        var rest = parsed.steps[...]
        while let step = rest.first, step != .every {
            switch step {
            case .name(let name): steps.append(.name(name))
            case .item(let index):
                guard !steps.isEmpty, index <= Self.largestItem else { return nil }
                steps.append(.item(index))
            // Names that are values themselves are not written.
            case .members: return nil
            case .every: break
            }
            rest = rest.dropFirst()
        }
        isList = !rest.isEmpty
        isText = parsed.endsInText || parsed.steps.isEmpty
        if isText, !isList { steps.append(.name(".")) }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
        switch rest.dropFirst().first {
        case nil: elementKey = nil
        case .name(let key) where rest.count == 2 && !parsed.endsInText: elementKey = key
        default: return nil
        }
    }

    /// The keys or elements of a path without places.
    var names: [String]? {
        let names = steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
        return names.count == steps.count ? names : nil
    }

    /// A name as a path of one step.
    static func text(of name: String) -> String {
        name.contains(where: { "./[]@\"".contains($0) }) ? "\"\(name)\"" : name
    }
}

extension RecordPartPath {
    /// The path of parts, as a mapping's `each` has it; nil if it asks for some of several.
    init?(_ text: String) {
        var parser = RecordPathParser(text)
        guard let parsed = try? parser.parse(), !parsed.endsInText else { return nil }
        var steps: [Step] = []
        for step in parsed.steps {
            switch step {
            case .name(let name) where !name.hasPrefix("@"): steps.append(Step(name, isList: false))
            case .every:
                guard let last = steps.popLast(), !last.isList else { return nil }
                steps.append(Step(last.name, isList: true))
            default: return nil
            }
        }
        self.init(steps)
    }
}
