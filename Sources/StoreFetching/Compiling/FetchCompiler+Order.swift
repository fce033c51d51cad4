import ManagedObjectModels
import PredicateExpressions

extension FetchCompiler {
    /// The terms of ORDER BY; the primary key at the end makes one order of what is equal.
    mutating func order() throws -> [String] {
        var terms: [String] = []
        for descriptor in request.sortDescriptors {
            let path = Expression.keyPath(descriptor.keyPath)
            _ = try checked(path)
            let fragment: SQLFragment
            do {
                fragment = try compiler().compile(path)
            } catch {
                let isToMany = (try? compiler().links(path))?.isToMany == true
                throw isToMany
                    ? FetchError(.toManySortKey(descriptor.keyPath))
                    : FetchError(.propertyUnavailable(descriptor.keyPath, reason: error.reason))
            }
            terms.append(try Self.term(fragment, descriptor))
            parameters += fragment.parameters
        }
        return terms + ["t.Z_PK"]
    }

    static func term(_ value: SQLFragment, _ descriptor: FetchSortDescriptor) throws(FetchError) -> String {
        guard let text = SQLSortKey.text(value, selector: descriptor.selectorName) else {
            let selector = descriptor.selectorName ?? ""
            throw SQLSortKey.selectors.contains(selector)
                ? FetchError(.sortSelectorForText(selector, keyPath: descriptor.keyPath))
                : FetchError(.sortSelectorUnsupported(selector, known: SQLSortKey.selectors))
        }
        return text + (descriptor.isAscending ? "" : " DESC")
    }
}
