import PersistentStores

/// How many objects an import may delete because its sources have them no more.
public enum DeleteLimit: Equatable, Sendable {
    /// A tenth of the objects of the mirrored entities, or ten if that is more, and never all objects of an entity.
    case careful
    /// So many objects.
    case count(Int64)
    /// So many hundredths of the objects of the mirrored entities. From a hundred on any number may go: objects of
    /// other entities that go with all of these make more than there are.
    case percent(Int64)

    private static let leastCareful: Int64 = 10

    /// - Parameters:
    ///   - going: how many would go.
    ///   - total: how many the mirrored entities have.
    ///   - isEmptied: whether an entity would lose all.
    func allows(_ going: Int64, of total: Int64, isEmptied: Bool) -> Bool {
        switch self {
        case .careful: !isEmptied && going <= max(Self.leastCareful, total / 10)
        case .count(let most): going <= most
        case .percent(let percent):
            percent >= 100 || Double(going) * 100 <= Double(total) * Double(percent)
        }
    }

    /// The limit for a message.
    ///
    /// - Parameter total: how many objects the mirrored entities have.
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
