import PersistentStores

/// What rows of a source must not be like, and what is said of those that are.
struct DataQuestion {
    /// Where objects are found.
    enum Place {
        /// Rows of one entity that meet a condition.
        case rows(SourceRows, where: String)

        /// The rows of a query: each is the key of an object, its entity's number in the layout, and how many
        /// objects it stands for.
        case groups(String, StoreLayout)
    }

    /// What a finding says of the rows.
    enum Detail {
        /// How many there are, the URIs of some, and the values of these where the question has `value`.
        case objects

        /// How many there are.
        case count

        /// Nothing: it is said where there are any.
        case none
    }

    /// The objects of all are added up.
    let places: [Place]

    /// SQL of a value that a finding names with each example; nil for none.
    var value: String?

    var detail = Detail.objects

    /// What is said if there are such rows, without what is known only then; nil if they are only counted.
    let finding: MigrationFinding?

    init(
        _ places: [Place], value: String? = nil, telling detail: Detail = .objects, _ finding: MigrationFinding?
    ) {
        self.places = places
        self.value = value
        self.detail = detail
        self.finding = finding
    }

    init(
        _ rows: SourceRows, where condition: String, value: String? = nil, telling detail: Detail = .objects,
        _ finding: MigrationFinding
    ) {
        self.init([.rows(rows, where: condition)], value: value, telling: detail, finding)
    }

    /// How many rows there are, whatever they are like.
    init(counting rows: SourceRows, _ finding: MigrationFinding? = nil) {
        self.init([.rows(rows, where: "1")], telling: .count, finding)
    }
}

/// Rows of the source that are objects of one entity.
struct SourceRows {
    /// The query from `FROM` on, with a `WHERE`: conditions follow by `AND`.
    let query: String

    /// SQL of the objects' keys.
    var key = "s.Z_PK"

    /// The entity that the objects' URIs name.
    let entity: String
}
