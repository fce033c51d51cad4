import PersistentStores

/// A condition that rows of a source should not meet, and the finding for rows that do.
struct DataQuestion {
    /// The place where objects are found.
    enum Place {
        /// Rows of one entity that meet a condition.
        case rows(SourceRows, where: String)

        /// The rows of a query, each with the key of an object, the number of its entity in the layout, and the number
        /// of objects for which it stands.
        case groups(String, StoreLayout)
    }

    /// The details that a finding contains about the rows.
    enum Detail {
        /// The number of objects, the URIs of some, and their values if the question has `value`.
        case objects

        /// The number of objects.
        case count

        /// No details.
        case none
    }

    /// The places, whose objects are added up.
    let places: [Place]

    /// SQL for a value that a finding contains for each example; nil for none.
    var value: String?

    var detail = Detail.objects

    /// The finding if there are such rows, without the details; nil if they are only counted.
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

    /// Creates a question that counts all rows.
    init(counting rows: SourceRows, _ finding: MigrationFinding? = nil) {
        self.init([.rows(rows, where: Self.always)], telling: .count, finding)
    }

    /// The condition that all rows meet.
    static let always = "1"
}

/// The rows of the source that are objects of one entity.
struct SourceRows {
    /// The query from `FROM` on, including a `WHERE`, so that conditions can be added with `AND`.
    let query: String

    /// The table and the number of the entity, if the objects are all rows with this number, and the table has no index
    /// on it; otherwise nil.
    var objects: (table: String, entityNumber: Int)?

    /// SQL for the keys of the objects.
    var key = "s.Z_PK"

    /// The entity in the objects' URIs.
    let entity: String
}
