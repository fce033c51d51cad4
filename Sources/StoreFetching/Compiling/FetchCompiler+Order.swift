import ManagedObjectModels
import PredicateExpressions

extension FetchCompiler {
    /// The terms of ORDER BY; the primary key at the end makes one order of what is equal.
    mutating func order() throws -> [String] {
        var terms: [String] = []
        for descriptor in request.sortDescriptors {
            let fragment = try sorted(descriptor)
            terms.append(try Self.term(fragment, descriptor))
            parameters += fragment.parameters
        }
        return terms + ["t.Z_PK"]
    }

    /// What the rows are sorted by as a column: a value that SQLite orders, whatever store it is of.
    mutating func sortKey(_ descriptor: FetchSortDescriptor) throws -> SelectedColumn {
        let fragment = try sorted(descriptor)
        let text = try Self.key(fragment, descriptor)
        parameters += fragment.parameters
        return SelectedColumn(sql: text, column: FetchedColumn(name: descriptor.keyPath, form: .any))
    }

    /// The value that a descriptor sorts by.
    private func sorted(_ descriptor: FetchSortDescriptor) throws -> SQLFragment {
        let path = Expression.keyPath(descriptor.keyPath).namingObjects(in: model)
        _ = try checked(path)
        do {
            return try compiler().compile(path)
        } catch {
            let isToMany = (try? compiler().links(path))?.isToMany == true
            throw isToMany
                ? FetchError(.toManySortKey(descriptor.keyPath))
                : FetchError(.propertyUnavailable(descriptor.keyPath, reason: error.reason))
        }
    }

    static func term(_ value: SQLFragment, _ descriptor: FetchSortDescriptor) throws(FetchError) -> String {
        try key(value, descriptor) + (descriptor.isAscending ? "" : " DESC")
    }

    private static func key(_ value: SQLFragment, _ descriptor: FetchSortDescriptor) throws(FetchError) -> String {
        guard let text = SQLSortKey.text(value, selector: descriptor.selectorName) else {
            let selector = descriptor.selectorName ?? ""
            throw SQLSortKey.selectors.contains(selector)
                ? FetchError(.sortSelectorForText(selector, keyPath: descriptor.keyPath))
                : FetchError(.sortSelectorUnsupported(selector, known: SQLSortKey.selectors))
        }
        return text
    }
}
