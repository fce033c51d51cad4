import ExternalPrograms
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Creates objects from the answers of a policy's program, batch by batch.
final class CommandAnswers {
    private unowned let run: PolicyRun
    private unowned let current: PolicyRun.Current
    private unowned let context: MigrationContext
    private let select: Statement
    private let source: SourceObject
    private let recordColumn: Int32
    private let table: String
    private let links: Statement
    private let sourceName: String
    /// The beginning of the URIs of source objects in records.
    private let prefix: [UInt8]
    private let destination: ResolvedEntity

    /// The source objects of the batch.
    @exclusivity(unchecked) private var asked = AskedKeys()
    private var lineNumber = 0
    /// The objects of the batch, by the names that the program has given them.
    private var names: [String: DestinationObject] = [:]
    private var related: [(object: DestinationObject, line: Int, name: String, value: JSONValue)] = []

    init(_ run: PolicyRun, _ current: PolicyRun.Current, _ context: MigrationContext) throws {
        self.run = run
        self.current = current
        self.context = context
        let step = current.step
        select = try run.connection.prepare(step.selectStatement)
        source = SourceObject(step.record, row: PolicyRow(select), run: run)
        recordColumn = step.recordColumn
        guard case .associated(let keys, _) = step.mapping.keys else { throw PolicyError("the mapping has no policy") }
        table = keys + "_LINKS"
        try run.connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (owner INTEGER, ownerEntity INTEGER, name TEXT, "
                + "isFirst INTEGER, entity TEXT, key INTEGER, isSource INTEGER)")
        links = try run.connection.prepare("INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", persistent: true)
        sourceName = run.program.source.model.entities[step.mapping.source].name
        prefix = Array("x-coredata://\(run.program.storeUUID)/\(sourceName)/p".utf8)
        destination = run.program.destination.model.entities[step.mapping.destination]
    }

    /// Begins a batch.
    ///
    /// - Parameter keys: the keys of the batch's source objects, in ascending order.
    func begin(_ keys: [Int64]) {
        asked = AskedKeys(keys)
        names = [:]
        related = []
    }

    /// Returns whether an object that the mapping is about to create is the first of its source.
    func isFirst(of source: Int64) -> Bool { asked.make(source) }

    /// Whether the first line of the program requests version 2 of the protocol, in which several batches may be in
    /// flight.
    private(set) var speaksTwo = false

    /// Processes a line of the received bytes.
    func take(_ received: [UInt8], _ line: Range<Int>) throws -> ProgramReply {
        lineNumber += 1
        let answer: JSONValue
        do throws(JSONLineParser.Failure) {
            answer = try JSONLineParser.value(received, in: line)
        } catch {
            throw PolicyError(
                "line \(lineNumber), column \(error.column) of its answer is not JSON: \(error.reason): "
                    + String(decoding: received[line].prefix(80), as: UTF8.self))
        }
        do {
            if lineNumber == 1, let version = answer["protocol"] {
                guard version == .number("1") || version == .number("2") else {
                    throw PolicyError("the protocol \(version.kind) is unknown; there are 1 and 2")
                }
                speaksTwo = version == .number("2")
                return speaksTwo ? .otherPace : .more
            }
            if answer["end"] == .string("batch") {
                try finishBatch()
                return .endOfBatch
            }
            if let reason = answer["error"] { throw PolicyError("it says: \(reason.string ?? reason.kind)") }
            try make(answer)
            return .more
        } catch let error as PolicyError {
            let uri = answer["source"]?.string.map { ", for \($0.prefix(120))" } ?? ""
            throw PolicyError("line \(lineNumber) of its answer\(uri): \(error)")
        }
    }

    private static let keys: Set<String> = ["source", "skip", "entity", "id", "key", "attributes", "relationships"]

    private func make(_ answer: JSONValue) throws {
        guard case .object(let members) = answer else {
            throw PolicyError("an object is expected, and this is \(answer.kind)")
        }
        if let unknown = members.first(where: { !Self.keys.contains($0.key) }) {
            throw PolicyError(
                "the key \"\(unknown.key.prefix(40))\" is unknown; there are \(Self.keys.sorted().joined(separator: ", "))"
            )
        }
        guard let uri = answer["source"]?.string else {
            throw PolicyError("\"source\" is missing: the URI of the record that it answers")
        }
        guard let key = key(uri), asked.answer(key) else {
            throw PolicyError("the source \(uri.prefix(120)) is not in the batch")
        }
        if let skip = answer["skip"] {
            guard skip == .boolean(true), members.count == 2 else {
                throw PolicyError("\"skip\" allows no other key but \"source\"")
            }
            return
        }
        try read(key)
        if !uri.utf8.starts(with: prefix), let id = ManagedObjectID(uri: uri) {
            _ = try run.slot(of: id, in: run.program.source, "the old")
        }
        let object = try object(answer)
        if let name = answer["id"] {
            guard let name = name.string else { throw PolicyError("\"id\" must be a string, not \(name.kind)") }
            guard names.updateValue(object.object, forKey: name) == nil else {
                throw PolicyError("the id \"\(name.prefix(40))\" occurs twice in the batch")
            }
        }
        if object.isNew { try setAttributes(of: object.object, answer) }
        if let relationships = answer["relationships"] {
            guard case .object(let members) = relationships else {
                throw PolicyError("\"relationships\" must be an object, not \(relationships.kind)")
            }
            for member in members { related.append((object.object, lineNumber, member.key, member.value)) }
        }
        // The row moves on to another source, so the object that has its values is written now. The pairs of objects
        // are written at the end of the batch.
        try run.flushObjects(of: current)
    }

    /// Returns the primary key in the URI of a source object; nil for other texts.
    private func key(_ uri: String) -> Int64? {
        if let key = uri.utf8.withContiguousStorageIfAvailable({ digits(of: $0) }) ?? nil { return key }
        return ManagedObjectID(uri: uri).flatMap { $0.entityName == sourceName ? $0.primaryKey : nil }
    }

    /// Returns the number after the prefix; nil unless it consists of 1 to 18 digits.
    private func digits(of uri: UnsafeBufferPointer<UInt8>) -> Int64? {
        let digits = uri.count - prefix.count
        guard digits > 0, digits <= 18, zip(prefix, uri).allSatisfy({ $0 == $1 }) else { return nil }
        var key: Int64 = 0
        for byte in uri[prefix.count...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            key = key * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return key > 0 ? key : nil
    }

    /// Reads the row of a source object, for the values that the mapping gives.
    private func read(_ key: Int64) throws {
        if source.key == key, isOnRow { return }
        // Programs usually answer in the order of the records, so that the next row is the right one.
        let isNext = isOnRow && source.key < key
        var isFound = try isNext && select.step() && select.integer(recordColumn) == key
        if !isFound {
            select.reset()
            try select.bindInteger(key, at: 1)
            try select.bindInteger(.max, at: 2)
            isFound = try select.step() && select.integer(recordColumn) == key
        }
        isOnRow = isFound
        source.key = key
        guard isOnRow else { throw PolicyError("the source object no longer exists") }
    }

    private var isOnRow = false

    private func object(_ answer: JSONValue) throws -> (object: DestinationObject, isNew: Bool) {
        let name: String
        switch answer["entity"] {
        case nil: name = destination.name
        case .string(let text)?: name = text
        case let other?: throw PolicyError("\"entity\" must be a string, not \(other.kind)")
        }
        guard let slot = run.program.destination.model.slot(named: name) else {
            throw PolicyError("the new model has no entity \"\(name.prefix(80))\"")
        }
        if let key = answer["key"] { return try find(name, slot, key, answer) }
        if slot == destination.slot { return (try context.createDestinationInstance(for: source), true) }
        let object = try context.insert(name)
        if run.program.destination.model.isKind(slot, of: destination.slot) {
            try context.associate(source, with: object)
        }
        return (object, true)
    }

    private func find(
        _ name: String, _ slot: Int, _ key: JSONValue, _ answer: JSONValue
    ) throws -> (object: DestinationObject, isNew: Bool) {
        guard case .array(let parts) = key, !parts.isEmpty else {
            throw PolicyError("\"key\" must be a list of attributes, not \(key.kind)")
        }
        let entity = run.program.destination.model.entities[slot]
        var values: [String: AttributeValue?] = [:]
        for part in parts {
            guard let attribute = part.string, let description = entity.attribute(named: attribute),
                let value = answer["attributes"]?[attribute]
            else {
                throw PolicyError(
                    "each part of \"key\" must be one of the record's \"attributes\", and this is \(part.kind)")
            }
            values[attribute] = try AnswerValue.value(value, of: description)
        }
        if slot == destination.slot {
            if let known = try context.find(name, where: values) {
                try context.associate(source, with: known)
                return (known, false)
            }
            // The attributes that are set later include those of the key.
            return (try context.createDestinationInstance(for: source), true)
        }
        let found = try context.findOrInsert(name, where: values)
        if run.program.destination.model.isKind(slot, of: destination.slot) {
            try context.associate(source, with: found.object)
        }
        return (found.object, found.isNew)
    }

    private func setAttributes(of object: DestinationObject, _ answer: JSONValue) throws {
        guard let attributes = answer["attributes"] else { return }
        guard case .object(let members) = attributes else {
            throw PolicyError("\"attributes\" must be an object, not \(attributes.kind)")
        }
        for member in members {
            let (_, attribute) = try object.writer.column(member.key)
            try object.set(member.key, to: AnswerValue.value(member.value, of: attribute))
        }
    }

    private func finishBatch() throws {
        select.reset()
        isOnRow = false
        if let missing = asked.missing {
            source.key = missing
            throw PolicyError(
                "the batch ends without an answer to \(source.objectID.uri); a record that becomes no object is answered with "
                    + "\"skip\": true")
        }
        for link in related {
            lineNumber = link.line
            try note(link.object, link.name, link.value)
        }
    }

    // MARK: Links

    /// Records the links of a relationship. A link to a source object stands for the objects created from it, so it can
    /// only be created after all mappings have created their objects.
    private func note(_ object: DestinationObject, _ name: String, _ value: JSONValue) throws {
        guard object.writer.entity.relationship(named: name)?.isStored == true else {
            throw PolicyError("\(object.entityName) has no stored relationship \"\(name.prefix(80))\"")
        }
        let targets: [JSONValue]
        switch value {
        case .null: targets = []
        case .array(let values): targets = values
        default: targets = [value]
        }
        if let relationship = object.writer.entity.relationship(named: name), !relationship.isToMany, targets.count > 1
        {
            throw PolicyError("\(object.entityName).\(name) leads to one object, and not to \(targets.count)")
        }
        try note(object, name, isFirst: true, nil, isSource: false)
        for target in targets {
            if let id = target["id"]?.string {
                guard let named = names[id] else {
                    throw PolicyError("no record of the batch has the id \"\(id.prefix(40))\"")
                }
                try note(object, name, isFirst: false, named.objectID, isSource: false)
            } else if let uri = target.string, let id = ManagedObjectID(uri: uri) {
                try checkSource(id, of: name, object)
                try note(object, name, isFirst: false, id, isSource: true)
            } else {
                throw PolicyError(
                    "\(name) leads to the URI of a source object, or to {\"id\": ...}, and not to \(target.kind)")
            }
        }
    }

    /// Throws `PolicyError` if no mapping creates destinations of a relationship from objects of a source object's
    /// entity.
    private func checkSource(_ id: ManagedObjectID, of name: String, _ object: DestinationObject) throws(PolicyError) {
        let slot = try run.slot(of: id, in: run.program.source, "the old")
        guard let relationship = object.writer.entity.relationship(named: name) else { return }
        let (old, new) = (run.program.source.model, run.program.destination.model)
        let isMade = run.program.associations.contains { association in
            (old.isKind(association.source, of: slot) || old.isKind(slot, of: association.source))
                && (new.isKind(association.destination, of: relationship.destination)
                    || new.isKind(relationship.destination, of: association.destination))
        }
        guard !isMade else { return }
        throw PolicyError(
            "\(object.entityName).\(name) leads to objects of \(new.entities[relationship.destination].name), and no "
                + "mapping makes these of objects of \(id.entityName), as \(id.uri) is one")
    }

    private func note(
        _ object: DestinationObject, _ name: String, isFirst: Bool, _ target: ManagedObjectID?, isSource: Bool
    ) throws {
        try links.bindInteger(object.key, at: 1)
        try links.bindInteger(Int64(object.writer.entity.slot), at: 2)
        try links.bindText(name, at: 3)
        try links.bindInteger(isFirst ? 1 : 0, at: 4)
        if let target {
            try links.bindText(target.entityName, at: 5)
            try links.bindInteger(target.primaryKey, at: 6)
        } else {
            try links.bindNull(at: 5)
            try links.bindNull(at: 6)
        }
        try links.bindInteger(isSource ? 1 : 0, at: 7)
        try links.run()
    }

    /// Creates the links that were recorded.
    func makeLinks(_ batches: PolicyBatches) throws {
        let select = try run.connection.prepare(
            "SELECT rowid, owner, ownerEntity, name, isFirst, entity, key, isSource FROM \(table) WHERE rowid >= ?1 ORDER BY rowid"
        )
        var next = batches.first ?? 0
        while true {
            try batches.begin()
            try select.bindInteger(next, at: 1)
            var rows = 0
            while rows < run.limits.rows, try select.step() {
                next = select.integer(0) + 1
                rows += 1
                let object = DestinationObject(
                    try run.writer(Int(select.integer(2))), key: select.integer(1), row: nil, run: run)
                object.isWritten = true
                try make(object, select)
            }
            select.reset()
            let isLast = rows < run.limits.rows
            try run.end(isLast ? nil : next, current, batches)
            if isLast { break }
        }
    }

    private func make(_ object: DestinationObject, _ row: Statement) throws {
        let name = row.string(3)
        guard !row.isNull(5) else { return try run.links.record(name, of: object, to: [], replacing: true) }
        let id = ManagedObjectID(
            storeUUID: run.program.storeUUID, entityName: row.string(5), primaryKey: row.integer(6))
        var targets = [id]
        let relationship = object.writer.entity.relationship(named: name)
        if row.integer(7) == 1, let relationship {
            targets = try run.destinationObjects(of: id, nil).filter { target in
                run.program.destination.model.slot(named: target.entityName).map {
                    run.program.destination.model.isKind($0, of: relationship.destination)
                } ?? false
            }
        }
        // A source object from which no object was created has no links. A source object that does not exist is an
        // error.
        if targets.isEmpty, try run.sourceObject(id) == nil {
            throw PolicyError(
                "\(name) of \(object.objectID.uri) leads to \(id.uri), and there is no such source object")
        }
        let isToMany = relationship?.isToMany ?? false
        if let first = targets.first {
            try run.links.record(name, of: object, to: isToMany ? targets : [first], replacing: !isToMany)
        }
    }
}
