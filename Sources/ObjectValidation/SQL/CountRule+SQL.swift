public import PersistentStores

extension CountRule {
    /// Returns a query for objects that violate a to-many relationship's rule: key `k`, entity number `e`, number of
    /// destinations `n`.
    ///
    /// - Parameters:
    ///   - place: where the store keeps the links.
    ///   - table: the quoted name of the owners' table.
    ///   - owners: the entity numbers of the objects that have the relationship, as SQL.
    public func brokenRows(_ place: LinkPlace, of table: String, owners: String) -> String {
        let few = isOptional ? "n BETWEEN 1 AND \(minimum - 1)" : "n < \(minimum)"
        let many = maximum > 0 ? " OR n > \(maximum)" : ""
        return "SELECT k, e, n FROM (SELECT o.Z_PK AS k, o.Z_ENT AS e, ifnull(l.n, 0) AS n "
            + "FROM \(table) o LEFT JOIN (SELECT \(place.owner) AS k, count(*) AS n "
            + "FROM \(place.table) WHERE \(place.owner) IS NOT NULL GROUP BY 1) l ON l.k = o.Z_PK "
            + "WHERE o.Z_ENT IN (\(owners))) WHERE (\(few)\(many))"
    }

    /// Returns the limit in the model for a fault of the rule, such as "at least 2"; nil for a fault that is not about
    /// a count.
    public func detail(of fault: ValidationFault) -> String? {
        switch fault {
        case .tooFewRelated(_, let minimum): "at least \(minimum)"
        case .tooManyRelated(_, let maximum): "at most \(maximum)"
        default: nil
        }
    }
}
