/// The facets of a part of a model, as short texts. A facet that is not specified has no entry.
struct FacetTable {
    struct Key: Hashable {
        let facet: ModelFacet
        let detail: String?
    }

    struct Change {
        let facet: ModelFacet
        let detail: String?
        let old: String?
        let new: String?
    }

    private(set) var keys: [Key] = []
    private(set) var values: [Key: String] = [:]

    mutating func add(_ facet: ModelFacet, detail: String? = nil, _ value: String?) {
        guard let value else { return }
        let key = Key(facet: facet, detail: detail)
        if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }

    /// Adds a flag if it differs from its usual value.
    mutating func add(_ facet: ModelFacet, _ flag: Bool, usually usual: Bool) {
        if flag != usual { add(facet, flag ? "yes" : "no") }
    }

    mutating func add(userInfo: [String: String]) {
        for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
            add(.userInfo, detail: key, FacetText.quoted(value))
        }
    }

    /// Returns the differences, in the order of this table, then of the other.
    func changes(to other: FacetTable) -> [Change] {
        let all = keys + other.keys.filter { values[$0] == nil }
        return all.compactMap { key in
            values[key] == other.values[key]
                ? nil : Change(facet: key.facet, detail: key.detail, old: values[key], new: other.values[key])
        }
    }
}
