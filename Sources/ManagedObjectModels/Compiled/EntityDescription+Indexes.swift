extension EntityDescription {
    /// Replaces fetch indexes by their counterparts in the older form: Core Data turns every indexed attribute and
    /// every compound index into a fetch index that is named after the properties; of a compound index with a
    /// relationship it keeps nothing else.
    mutating func foldIndexes() {
        let indexed = Set(attributes.filter(\.isIndexed).map(\.name))
        var compound = compoundIndexes
        fetchIndexes.removeAll { index in
            guard let names = index.plainNames, index.name == names.joined(separator: "_") else { return false }
            guard names.count > 1 else { return indexed.contains(names[0]) }
            if !compound.contains(names) { compound.append(names) }
            return true
        }
        compoundIndexes = compound.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension FetchIndexDescription {
    /// The attribute that the compiler marks as indexed because of the index: its only element, if that is ascending.
    /// This includes partial indexes.
    var indexedAttribute: String? {
        guard elements.count == 1, let element = elements.first, element.isAscending, element.collation == .binary
        else { return nil }
        return element.propertyName
    }

    /// The names of the properties if the index could be in the older form: complete, binary and ascending.
    fileprivate var plainNames: [String]? {
        guard partialIndexPredicate == nil else { return nil }
        var names: [String] = []
        for element in elements {
            guard let name = element.propertyName, element.collation == .binary, element.isAscending else { return nil }
            names.append(name)
        }
        return names
    }
}
