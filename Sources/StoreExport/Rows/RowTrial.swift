import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import SQLiteAccess
import StoreFetching
import StoreImport
import ValueTransformers

/// Tests the rows of a file or part before they are written, by converting their texts as the import would.
final class RowTrial {
    private struct ObjectCheck {
        let names: [String]
        let isExternal: [Bool]
        /// The transformable attributes, for which different bytes may stand for the same value; nil for other
        /// attributes.
        let archives: [AttributeDescription?]
        let firstPlace: Int
        let presencePlace: Int?
        var trial: RecordTrial
    }

    private let format: ExportFormat
    /// The positions of the columns with single values among the cursor's columns.
    private let columns: [Int]
    private let texts: [ValueText]
    private let transformers: ValueTransformerRegistry
    /// XML: for each column, the columns because of which the element of its text exists.
    private let company: [ElementPresence]
    private var objects: [ObjectCheck] = []
    private var filter: RecordTrial?
    private var rivals: [(name: String, trial: RecordTrial)] = []

    /// Returns the hidden properties that a request for the rows needs.
    static func properties(for trial: ExportTrial) -> [FetchedProperty] {
        trial.objects.flatMap { object in
            let contents = object.values + (object.presence.map { [$0] } ?? [])
            return contents.map { FetchedProperty(name: "hidden", $0) }
        }
    }

    /// - Parameter folder: the folder of the files, relative to which files of binary data are found.
    init(
        _ trial: ExportTrial, _ columns: [ExportColumn], _ format: ExportFormat, cursor: FetchCursor,
        layout: StoreLayout, folder: String
    ) throws {
        self.format = format
        transformers = trial.transformers
        self.columns = columns.indices.filter { cursor.statementColumns[$0] != nil }
        texts = columns.indices.map { index in
            ValueText(
                form: cursor.columns[index].form, style: columns[index].style, externalData: cursor.externalData,
                name: cursor.columns[index].name)
        }
        let places = self.columns.map { (column: $0, place: cursor.statementColumns[$0] ?? 0) }
        company = columns.indices.map { ElementPresence(of: $0, in: columns, format, places: places) }
        let names = self.columns.map { columns[$0].text }
        func trialOf(
            _ mapping: ObjectMapping, _ filter: RecordFilter?, _ settings: ConversionSettings
        ) throws -> RecordTrial {
            try RecordTrial(
                mapping, filter: filter, settings: settings, columns: names, layout: layout, folder: folder,
                transformers: trial.transformers)
        }
        var place = 0
        for object in trial.objects {
            let forms = cursor.hiddenColumns[place..<place + object.values.count].map(\.form)
            let entity = layout.model.entity(named: object.mapping.entity)
            let names = object.mapping.attributes.map(\.attribute)
            objects.append(
                ObjectCheck(
                    names: names, isExternal: forms.map { $0 == .externalData },
                    archives: names.map { name in
                        entity?.attribute(named: name).flatMap { $0.type == .transformable ? $0.description : nil }
                    },
                    firstPlace: place, presencePlace: object.presence == nil ? nil : place + object.values.count,
                    trial: try trialOf(object.mapping, nil, trial.settings)))
            place += object.values.count + (object.presence == nil ? 0 : 1)
        }
        let nothing = ObjectMapping(entity: trial.objects[0].mapping.entity)
        filter = try trial.filter.map { try trialOf(nothing, $0, trial.settings) }
        rivals = try trial.rivals.map { ($0.name, try trialOf(nothing, $0.filter, $0.settings)) }
    }

    /// Returns the reason why the import would not recreate the row's objects; nil if it would.
    func refusal(of cursor: FetchCursor) throws -> String? {
        var values: [RecordTrial.Value] = []
        do {
            for column in columns { values.append(try value(column, of: cursor)) }
        } catch let error as FetchError {
            // A value that the format cannot represent is left out in any case.
            guard case .valueNotWritable(let column, let reason) = error.code else { throw error }
            return "\(column): \(reason)"
        }
        if let outcome = filter?.outcome(of: values), outcome != .values([]) {
            return "the mapping's filter leaves it out"
        }
        for index in rivals.indices where rivals[index].trial.outcome(of: values) == .values([]) {
            return "the mapping would make an object of \(rivals[index].name) of it too"
        }
        for index in objects.indices {
            let object = objects[index]
            if let place = object.presencePlace, cursor.statement.isNull(cursor.hiddenPlaces[place]) { continue }
            switch objects[index].trial.outcome(of: values) {
            case .filtered: return "the mapping's filter leaves it out"
            case .refused(let reason): return reason
            case .values(let made):
                for (position, value) in made.enumerated() {
                    let isExternal = object.isExternal[position]
                    var stored = cursor.statement.value(cursor.hiddenPlaces[object.firstPlace + position])
                    var made = value
                    if isExternal {
                        // Compare the bytes themselves, read from external files and without a tag.
                        if let blob = stored.blob { stored = .blob(try cursor.externalData.bytes(of: blob)) }
                        if let tagged = made.blob { made = .blob(Array(tagged.dropFirst())) }
                    }
                    guard !Self.isSame(stored, made), !isSame(stored, made, object.archives[position]) else { continue }
                    return "\(object.names[position]) is \(Self.shown(stored)), and the import would make it "
                        + Self.shown(made)
                }
            }
        }
        return nil
    }

    private func value(_ column: Int, of cursor: FetchCursor) throws -> RecordTrial.Value {
        let place = cursor.statementColumns[column] ?? 0
        guard format == .csv || format == .xml else {
            guard cursor.columns[column].form == .json else {
                return try texts[column].trialValue(cursor.statement, place)
            }
            let json = try texts[column].json(of: cursor.statement, place)
            return json.first == UInt8(ascii: "n") ? .null : .number(json)
        }
        guard let text = try texts[column].text(of: cursor.statement.value(place)) else {
            return format == .csv || company[column].isPresent(cursor.statement) ? .unquoted([]) : .missing
        }
        // The CSV writer quotes texts that could be read as NULL.
        return format == .csv ? .quoted(text) : .unquoted(text)
    }

    // MARK: Comparison

    /// Returns whether the bytes of a transformable attribute stand for equal values.
    private func isSame(_ stored: SQLiteValue, _ made: SQLiteValue, _ attribute: AttributeDescription?) -> Bool {
        guard let attribute, let stored = stored.blob, let made = made.blob,
            let value = try? transformers.value(of: stored, for: attribute, of: "")
        else { return false }
        return value == (try? transformers.value(of: made, for: attribute, of: ""))
    }

    private static func isSame(_ stored: SQLiteValue, _ made: SQLiteValue) -> Bool {
        switch (stored, made) {
        case (.integer(let number), .real(let other)), (.real(let other), .integer(let number)):
            Double(number) == other && Int64(exactly: other) == number
        case (.real(let number), .real(let other)): number == other
        // The digits of a decimal, which SQLite converts to a number when it stores them.
        case (.real(let number), .text(let digits)): Double(String(decoding: digits, as: UTF8.self)) == number
        default: stored == made
        }
    }

    /// Returns a shortened value for a message.
    private static func shown(_ value: SQLiteValue) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .text(let bytes):
            let text = String(decoding: bytes.prefix(60), as: UTF8.self)
            return text.debugDescription + (bytes.count > 60 ? "..." : "")
        case .blob(let bytes): return "data of " + Quantity.bytes(Int64(bytes.count))
        }
    }
}

extension ValueText {
    /// Returns a value as in JSON.
    fileprivate func trialValue(_ statement: Statement, _ column: Int32) throws -> RecordTrial.Value {
        let json = try json(of: statement, column)
        switch json.first {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"): return .boolean(true)
        case UInt8(ascii: "f"): return .boolean(false)
        case UInt8(ascii: "\""): return .quoted(try text(of: statement.value(column)) ?? [])
        default: return .number(json)
        }
    }
}
