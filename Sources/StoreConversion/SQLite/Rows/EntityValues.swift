import FoundationEssentials
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The values for the columns of an entity's attributes. Large data are written to files, and values that SQLite cannot
/// represent are reported.
final class EntityValues {
    let form: EntityForm

    /// The indexes of the attributes that have a column.
    let stored: [Int]

    /// Whether the values of an object are stored unchanged in its columns.
    let isPlain: Bool

    /// A value for each of `stored`. Texts and data are in `arena`, or in the object if the arena is not used.
    private(set) var cells: [ArenaValue] = []
    private(set) var arena: [UInt8] = []
    private(set) var usesArena = false

    private let types: [AttributeType]
    private let isExternal: [Bool]
    private let externals: StagedExternalData
    private let findings: ConversionFindings

    init(_ form: EntityForm, layout: StoreLayout, externals: StagedExternalData, findings: ConversionFindings) {
        self.form = form
        self.externals = externals
        self.findings = findings
        types = form.attributes.map(\.type)
        isExternal = form.attributes.map(\.description.hasExternalData)
        stored = form.attributes.indices.filter { layout.column(.attribute(form.attributes[$0].key)) != nil }
        isPlain =
            stored.count == form.attributes.count
            && form.attributes.allSatisfy { attribute in
                switch attribute.type {
                case .decimal, .double, .float, .date: false
                default: !attribute.description.hasExternalData
                }
            }
    }

    /// Fills the cells with the values of an object that are not plain.
    func take(_ object: borrowing StoredObject) throws {
        cells.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: arena.capacity <= 1 << 20)
        usesArena = false
        for place in stored {
            if isExternal[place], !usesArena {
                arena += object.bytes
                usesArena = true
            }
            cells.append(try cell(object, place))
        }
    }

    private func cell(_ object: borrowing StoredObject, _ place: Int) throws -> ArenaValue {
        let value = object.values[place]
        switch value {
        case .real(let number) where number.isNaN:
            findings.add(.notANumber, subject(place), key: object.key)
            return .null
        case .text(let range) where types[place] == .decimal:
            // SQLite preserves 15 digits of any decimal number; more only if a double represents them.
            if range.count > 15, !DecimalRounding.isKept(String(decoding: object.bytes[range.range], as: UTF8.self)) {
                findings.add(.decimalRounded, subject(place), key: object.key)
            }
            return value
        case .blob(let range) where isExternal[place]:
            let start = arena.count
            try externals.add(object.bytes[range.range], named: { UUID().uuidString }, to: &arena)
            return .blob(ArenaRange(start: start, count: arena.count - start))
        default: return value
        }
    }

    private func subject(_ place: Int) -> String { "\(form.name).\(form.attributes[place].name)" }
}
