import SQLiteFileBuilder
import StoreAssembly

/// The objects of one source on their way into a table.
final class AssembledStream {
    let object: CompiledObject
    let table: AssembledTable
    /// The keys that tell the objects apart; nil if they have no key.
    let identity: KeySpace?
    /// Keys by which others name the objects, which have no key of their own.
    let names: [(keys: KeySpace, attributes: [Int])]
    /// By position of a to-one, the number of its link.
    let links: [Int]
    private let appender: ObjectAppender
    private(set) var form: Int?
    /// Rows so far.
    private(set) var appended: Int64 = 0

    init(
        _ object: CompiledObject, table: AssembledTable, keys: (keys: KeySpace, columns: [String])?,
        destinations: [ObjectAssembly.Destination], resolvers: [ReferenceResolver]
    ) {
        self.object = object
        self.table = table
        let columns = table.builder.definition.columns
        func position(_ name: String?) -> Int? { name.flatMap { name in columns.firstIndex { $0.name == name } } }
        identity = object.hasKey ? keys?.keys : nil
        if let keys, !object.hasKey {
            let attributes = keys.columns.compactMap { name in object.attributes.firstIndex { $0.column == name } }
            names = attributes.count == keys.columns.count ? [(keys.keys, attributes)] : []
        } else {
            names = []
        }
        links = object.toOnes.map { relationship in
            guard case .key(let target) = relationship.target, let column = position(relationship.column) else {
                return 0
            }
            return table.link(
                column: column, entityColumn: position(relationship.entityColumn),
                to: destinations[target.resolver].table, entity: resolvers[target.resolver].entityNumber)
        }
        appender = ObjectAppender(object, table: table.builder)
    }

    /// Begins with the rows of the source.
    func begin() {
        if let form { return table.resume(form) }
        let columns = table.builder.definition.columns
        let rule: ObjectForm.MatchRule =
            switch object.onMatch {
            case .fill: .fill
            case .skip: .skip
            case .update, .error: .update
            }
        form = table.begin(
            ObjectForm(
                columns: object.attributes.map { attribute in
                    columns.firstIndex { $0.name == attribute.column } ?? 0
                }, links: links, onMatch: rule))
    }

    /// Appends the objects of all records that are not rejected.
    func append(_ instances: inout ObjectInstances, where isRejected: [Bool], arena: Span<UInt8>) throws(BuildError) {
        let first = table.next
        let next = try appender.appendAll(
            &instances, where: isRejected, from: first, entity: Int64(object.entityNumber), arena: arena)
        appended += next - first
        table.take(upTo: next)
    }

    /// What its rows did to objects that were there.
    var counts: MatchCounts { form.map { table.counts[$0] } ?? MatchCounts() }
}
