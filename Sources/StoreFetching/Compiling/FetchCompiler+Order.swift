import ManagedObjectModels
import PredicateExpressions

extension FetchCompiler {
    /// Returns the terms of ORDER BY; the primary key at the end makes the order unique.
    mutating func order() throws -> [String] {
        var terms: [String] = []
        for descriptor in request.sortDescriptors {
            let fragment = try sorted(descriptor)
            terms.append(try Self.term(fragment, descriptor))
            parameters += fragment.parameters
        }
        return terms + ["t.Z_PK"]
    }

    /// Returns a column for a sort key: a value that SQLite can order, for results of several stores.
    mutating func sortKey(_ descriptor: FetchSortDescriptor) throws -> SelectedColumn {
        let fragment = try sorted(descriptor)
        let text = try Self.key(fragment, descriptor)
        parameters += fragment.parameters
        return SelectedColumn(sql: text, column: FetchedColumn(name: descriptor.keyPath, form: .any))
    }

    /// Returns the value of a sort key.
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
