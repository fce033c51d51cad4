import RecordSources
import StoreFetching

/// A column or path of a mapping, as the steps of a writer: `times.start`, `"a.b"`, `tags[*]`, `at[0]`.
struct ColumnPath {
    let steps: [RecordStep]
    /// Whether it has several values, like `tags[*]` or `tags[*].name`.
    let isList: Bool
    /// The key of the value in each element of a list, such as `name` in `tags[*].name`.
    let elementKey: String?
    /// Whether it stands for the text of an XML element: `text()` or `.`.
    let isText: Bool

    /// The largest index of an array; higher ones are probably mistakes.
    private static let largestItem = 999

    /// Returns nil for a path into the parts of parts, such as `a[*].b.c` or `[0].a`.
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
            // Names that are values themselves cannot be written.
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

    /// The keys or elements of a path without indexes.
    var names: [String]? {
        let names = steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
        return names.count == steps.count ? names : nil
    }

    /// Returns a name as a path of one step.
    static func text(of name: String) -> String {
        name.contains(where: { "./[]@\"".contains($0) }) ? "\"\(name)\"" : name
    }
}

extension RecordPartPath {
    /// Parses the path of parts in `each` of a mapping; returns nil if it selects one of several parts.
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
