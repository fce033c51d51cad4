import PersistentStores

/// The number of objects that an import may delete because its sources no longer contain them.
public enum DeleteLimit: Equatable, Sendable {
    /// A tenth of the objects of the mirrored entities, or ten if that is more, but never all objects of an entity.
    case careful
    /// A number of objects.
    case count(Int64)
    /// A percentage of the objects of the mirrored entities. With a hundred or more, any number of objects may be
    /// deleted, because objects of other entities may be deleted with them.
    case percent(Int64)

    private static let leastCareful: Int64 = 10

    /// - Parameters:
    ///   - going: the number of objects that would be deleted.
    ///   - total: the number of objects of the mirrored entities.
    ///   - isEmptied: whether an entity would lose all of its objects.
    func allows(_ going: Int64, of total: Int64, isEmptied: Bool) -> Bool {
        switch self {
        case .careful: !isEmptied && going <= max(Self.leastCareful, total / 10)
        case .count(let most): going <= most
        case .percent(let percent):
            percent >= 100 || Double(going) * 100 <= Double(total) * Double(percent)
        }
    }

    /// Returns the limit for a message.
    ///
    /// - Parameter total: the number of objects of the mirrored entities.
    func text(of total: Int64) -> String {
        switch self {
        case .careful:
            "a tenth of the \(Quantity.count(total, "object")) of the mirrored entities, or \(Self.leastCareful), and "
                + "never all of an entity"
        case .count(let most): Quantity.count(most)
        case .percent(let percent): "\(percent) % of the \(Quantity.count(total, "object")) of the mirrored entities"
        }
    }
}
