import PersistentStores

extension OrderKeys {
    /// Returns SQL that counts the order keys of rows.
    ///
    /// - Parameters:
    ///   - key: the column of the owner, within which the rows are counted.
    ///   - place: the column of the places that come first, in their order; nil if there are none.
    ///   - other: the column that decides among rows without a place.
    static func counted(by key: String, placed place: String? = nil, then other: String) -> String {
        let places = place.map { "\($0) IS NULL, \($0), " } ?? ""
        return self.key(at: "(row_number() OVER (PARTITION BY \(key) ORDER BY \(places)\(other)) - 1)")
    }
}
