import ImportMappings

/// Texts for the columns of a filter with which it accepts a record; columns that have values already are not changed.
struct FilterSolution {
    let known: Set<String>
    /// The texts of the columns; nil for a column that must have no value.
    private(set) var texts: [String: String?] = [:]
    /// Whether the result also depends on the values of known columns.
    private(set) var usesKnown = false

    init(known: Set<String>) {
        self.known = known
    }

    /// Makes a filter return a result; returns false if this contradicts earlier results.
    mutating func satisfy(_ filter: RecordFilter, _ wanted: Bool) -> Bool {
        switch filter {
        case .isIn(let column, let texts):
            if wanted, texts.isEmpty { return false }
            return set(column, wanted ? texts.first : nil) { wanted == ($0.map { texts.contains($0) } ?? false) }
        case .isPresent(let column):
            return set(column, wanted ? "1" : nil) { wanted == !($0 ?? "").isEmpty }
        case .not(let inner): return satisfy(inner, !wanted)
        case .all(let parts): return wanted ? every(parts, true) : some(parts, false)
        case .any(let parts): return wanted ? some(parts, true) : every(parts, false)
        }
    }

    private mutating func every(_ parts: [RecordFilter], _ wanted: Bool) -> Bool {
        for part in parts where !satisfy(part, wanted) { return false }
        return true
    }

    private mutating func some(_ parts: [RecordFilter], _ wanted: Bool) -> Bool {
        for part in parts {
            var copy = self
            guard copy.satisfy(part, wanted) else { continue }
            self = copy
            return true
        }
        return false
    }

    private mutating func set(_ column: String, _ text: String?, fits: (String?) -> Bool) -> Bool {
        if known.contains(column) {
            usesKnown = true
            return true
        }
        if let other = texts[column] { return fits(other) }
        texts[column] = .some(text)
        return true
    }
}
