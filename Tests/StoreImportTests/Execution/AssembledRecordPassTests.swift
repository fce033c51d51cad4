import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store in which people are found by several keys, and records are rejected because of how
/// many objects relationships lead to, because of their notes, or because lists would leave notes without an author:
/// assembled, they are what a plain model has that takes one record after the other.
@Suite struct AssembledRecordPassTests {
    /// How many objects a relationship may lead to.
    private struct Limits {
        var minimum = 0
        var maximum = 0
        var isOptional = true

        var xml: String {
            (isOptional ? "optional=\"YES\"" : "optional=\"NO\"") + (minimum > 0 ? " minCount=\"\(minimum)\"" : "")
                + (maximum > 0 ? " maxCount=\"\(maximum)\"" : "")
        }

        static func random(_ random: inout RandomNumbers) -> Limits {
            var limits = Limits()
            if Int.random(in: 0..<3, using: &random) > 0 { return limits }
            // One would make it a to-one.
            limits.maximum = Int.random(in: 0..<3, using: &random) > 0 ? Int.random(in: 2..<4, using: &random) : 0
            if Int.random(in: 0..<3, using: &random) == 0 {
                limits.minimum = Int.random(in: 1..<3, using: &random)
                limits.isOptional = Int.random(in: 0..<3, using: &random) > 0
            }
            return limits
        }

        func isTooMany(_ count: Int) -> Bool { maximum > 0 && count > maximum }
        func isTooFew(_ count: Int) -> Bool {
            isOptional ? count > 0 && count < minimum : count < max(1, minimum)
        }
    }

    private struct Link {
        let by: String
        let entity: String
        let missing: String
        /// Whether it leads to the first object of the record instead.
        var isOfRecord = false

        /// Whether an object is created if none has the value.
        var creates: Bool { missing == "create" && !isOfRecord }
    }

    /// An object of a record.
    private struct Object {
        let entity: String
        let key: [String]
        let match: String
        let missing: String
        /// `boss` of a person, `author` of a note; nil if it is not mapped.
        let toOne: Link?
        let friends: Link?
        /// Whether the second object of the record is in its list of notes.
        let listsNotes: Bool
        let prefix: String
        /// Whether a record has a list of them.
        let isPart: Bool

        var isNote: Bool { entity == "Note" }
        var toOneName: String { isNote ? "author" : "boss" }

        func text(_ indent: String) -> String {
            func field(_ name: String) -> String { "\(name): \(self.name(of: name))" }
            func link(_ name: String, _ link: Link, from: String) -> String {
                link.isOfRecord
                    ? "\(name): {object: a}"
                    : "\(name): {by: \(link.by), entity: \(link.entity), onMissing: \(link.missing), from: '\(from)'}"
            }
            var links: [String] = []
            if let toOne { links.append(link(toOneName, toOne, from: name(of: "one"))) }
            if let friends { links.append(link("friends", friends, from: name(of: "friends") + "[*]")) }
            if listsNotes { links.append("notes: {object: b}") }
            var lines = ["entity: \(entity)"]
            if !prefix.isEmpty { lines.append("id: \(prefix)") }
            if isPart { lines.append("each: '\(prefix)[*]'") }
            if !key.isEmpty {
                lines += ["key: [\(key.joined(separator: ", "))]", "onMatch: \(match)", "onMissing: \(missing)"]
            }
            lines.append("attributes: {\(["code", "mail", "serial"].map(field).joined(separator: ", "))}")
            if !links.isEmpty { lines.append("relationships: {\(links.joined(separator: ", "))}") }
            return lines.joined(separator: "\n\(indent)") + "\n"
        }

        /// The name of a field in the records.
        func name(of field: String) -> String { isPart ? field : prefix + field }
    }

    private struct Source {
        var objects: [Object] = []

        var links: [Link] { objects.flatMap { [$0.toOne, $0.friends].compactMap { $0 } }.filter { !$0.isOfRecord } }

        var listsNotes: Bool { objects.contains(where: \.listsNotes) }

        func text(_ index: Int) -> String {
            let files = "  - files: part\(index)-*.json\n"
            if objects.count == 1 { return files + "    " + objects[0].text("    ") }
            return files + "    objects:\n"
                + objects.map { "      - " + $0.text("        ") }.joined()
        }
    }

    /// What a record says of one object.
    private struct Instance {
        /// nil for null.
        var values: [String: Int?] = [:]
        /// The value by which the destination of the to-one is found; nil for none.
        var one: Int??
        var friends: [Int]?

        func fields(_ object: Object, serial: Int) -> String {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }
            var fields = ["\"\(object.name(of: "serial"))\": \(serial)"]
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                fields.append("\"\(object.name(of: name))\": \(text(value))")
            }
            if let one { fields.append("\"\(object.name(of: "one"))\": \(text(one))") }
            if let friends { fields.append("\"\(object.name(of: "friends"))\": \(friends)") }
            return fields.joined(separator: ", ")
        }
    }

    private struct Record {
        let source: Int
        let place: String
        let serial: Int
        /// By object; nil if the record does not have the list of a part.
        var instances: [[Instance]?] = []

        func line(_ source: Source) -> String {
            let fields = zip(source.objects, instances).compactMap { object, instances -> String? in
                guard let parts = instances?.map({ $0.fields(object, serial: serial) }) else { return nil }
                guard object.isPart else { return parts.joined() }
                return "\"\(object.prefix)\": [\(parts.map { "{\($0)}" }.joined(separator: ", "))]"
            }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private struct Scenario: RandomImport {
        let needsMail: [String: Bool]
        /// The attributes that no two objects have the same values of.
        let constraints: [String: [[String]]]
        let isBossRequired: Bool
        let isAuthorRequired: Bool
        let (staff, friends, friendOf, notes): (Limits, Limits, Limits, Limits)
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var mapping: String {
            "import: 1\nsources:\n" + sources.enumerated().map { $0.element.text($0.offset) }.joined()
        }
        var entities: String {
            let number = "attributeType=\"Integer 32\""
            func toMany(_ name: String, _ limits: Limits, _ entity: String, _ inverse: String) -> String {
                "<relationship name=\"\(name)\" \(limits.xml) toMany=\"YES\" destinationEntity=\"\(entity)\" "
                    + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            func toOne(_ name: String, isRequired: Bool, _ inverse: String) -> String {
                "<relationship name=\"\(name)\" optional=\"\(isRequired ? "NO" : "YES")\" maxCount=\"1\" "
                    + "destinationEntity=\"Person\" inverseName=\"\(inverse)\" inverseEntity=\"Person\"/>"
            }
            func attributes(_ root: String) -> String {
                "<attribute name=\"code\" optional=\"YES\" \(number)/><attribute name=\"serial\" optional=\"YES\" "
                    + "\(number)/><attribute name=\"mail\" \(needsMail[root] ?? false ? "" : "optional=\"YES\"") "
                    + "\(number)/>"
            }
            return """
                <entity name="Person">\(attributes("Person"))\(toOne("boss", isRequired: isBossRequired, "staff"))
                \(toMany("staff", staff, "Person", "boss"))\(toMany("friends", friends, "Person", "friendOf"))
                \(toMany("friendOf", friendOf, "Person", "friends"))\(toMany("notes", notes, "Note", "author"))
                \(Self.uniqueness(constraints["Person"] ?? []))</entity><entity name="Employee" parentEntity="Person"/>
                <entity name="Note">\(attributes("Note"))\(toOne("author", isRequired: isAuthorRequired, "notes"))
                \(Self.uniqueness(constraints["Note"] ?? []))</entity>

                """
        }

        init(_ random: inout RandomNumbers) {
            func pick<Element>(_ values: [Element]) -> Element {
                values[Int.random(in: 0..<values.count, using: &random)]
            }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            let needsMail = ["Person": number(below: 5) == 0, "Note": number(below: 4) == 0]
            self.needsMail = needsMail
            let constraints: [String: [[String]]] = [
                "Person": pick([[], [], [["mail"]], [["code"], ["mail"]]]),
                "Note": pick([[], [], [["mail"]], [["code"]], [["code"], ["mail"]]]),
            ]
            self.constraints = constraints
            isBossRequired = number(below: 8) == 0
            isAuthorRequired = number(below: 3) > 0
            (staff, friends) = (.random(&random), .random(&random))
            (friendOf, notes) = (.random(&random), .random(&random))
            let most = pick([2, 4, 9])
            let kinds = pick([["Person"], ["Person", "Employee"]])
            let areListed = number(below: 2) == 0
            let creates = !(needsMail["Person"] ?? false) && number(below: 2) == 0
            // What SQLite has to write for other reasons is left out.
            let isPlain = creates || number(below: 2) == 0
            let requires = !creates && number(below: 2) == 0
            let befriended = pick(kinds)
            func link(isList: Bool = false) -> Link {
                Link(
                    by: pick(["code", "mail"]), entity: isList ? befriended : pick(kinds),
                    missing: pick(
                        ["skip"] + (creates ? ["create", "create"] : []) + (requires && !isList ? ["error"] : [])))
            }
            func object(_ entity: String, _ prefix: String, isAlone: Bool) -> Object {
                let isNote = entity == "Note"
                let isListed = isNote && areListed
                var key = pick(isNote ? [[], ["code"], ["code"], ["mail"]] : [["code"], ["mail"], ["mail"], []])
                let listsNotes = !isNote && areListed && !isAlone
                if listsNotes { key = pick([["code"], ["mail"]]) }
                // Without another key, the first constraint is the key.
                if key.isEmpty { key = constraints[isNote ? "Note" : "Person"]?.first ?? [] }
                let match = pick(
                    ["update", "update"] + (isListed || listsNotes ? ["update"] : ["skip"])
                        + (areListed ? [] : ["fill"])
                        + (isPlain ? [] : ["error"]))
                var toOne: Link?
                if isNote ? !areListed : number(below: 2) == 0 {
                    toOne = link()
                    if isNote, !isAlone, number(below: 2) == 0 { toOne?.isOfRecord = true }
                }
                let isRequired = isNote ? isAuthorRequired : isBossRequired
                let hasFriends = !isNote && (match != "fill" || key.isEmpty) && number(below: 3) == 0
                let mayBeSkipped = isAlone && (toOne.map { $0.missing == "skip" && !isRequired } ?? true)
                let missing = isPlain ? "create" : pick(["create", "create", "error"] + (mayBeSkipped ? ["skip"] : []))
                return Object(
                    entity: entity, key: key, match: key.isEmpty ? "update" : match,
                    missing: key.isEmpty ? "create" : missing, toOne: toOne,
                    friends: hasFriends ? link(isList: true) : nil,
                    listsNotes: listsNotes, prefix: prefix,
                    isPart: prefix == "b" && number(below: 2) == 0)
            }
            let isListedOnce = number(below: 4) > 0
            for index in 0..<number(below: 3) + 2 {
                var source = Source()
                // Lists of several mappings do not reject records at once.
                switch areListed && isListedOnce ? (index > 0 ? number(below: 2) : 2) : number(below: 4) {
                case 0: source.objects = [object(pick(kinds), "", isAlone: true)]
                case 1 where index > 0: source.objects = [object("Note", "", isAlone: true)]
                default:
                    source.objects = [object(pick(kinds), "a", isAlone: false), object("Note", "b", isAlone: false)]
                }
                sources.append(source)
            }
            for (index, source) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    let file = "part\(index)-\(part).json"
                    var text = ""
                    for line in 0..<number(below: 8) {
                        var record = Record(source: index, place: "\(file):\(line + 1)", serial: records.count)
                        for object in source.objects {
                            guard !object.isPart || number(below: 5) > 0 else {
                                record.instances.append(nil)
                                continue
                            }
                            record.instances.append(
                                (0..<(object.isPart ? number(below: 4) : 1)).map { _ in
                                    var instance = Instance()
                                    for name in ["code", "mail"]
                                    where object.key.contains(name) || number(below: 3) > 0 {
                                        instance.values[name] = .some(
                                            number(below: 12) == 0 ? nil : number(below: object.isNote ? 9 : most))
                                    }
                                    if let link = object.toOne, !link.isOfRecord, number(below: 5) > 0 {
                                        instance.one = .some(number(below: 12) == 0 ? nil : number(below: most))
                                    }
                                    if object.friends != nil, number(below: 3) > 0 {
                                        instance.friends = (0..<number(below: 4)).map { _ in number(below: most) }
                                    }
                                    return instance
                                })
                        }
                        records.append(record)
                        text += record.line(source)
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to, read one after the other, without those that cannot be.
    private struct Plain {
        private enum Destination {
            case object(Int)
            case waiting(Link, Int)
        }

        private struct Thing {
            let entity: String
            /// The record that creates it; nil if it exists because records name it.
            var maker: Int?
            var values: [String: Int] = [:]
            /// Of several the first one that leads somewhere, with their records.
            var toOnes: [(to: Destination, record: Int)] = []
            var friends: (link: Link, keys: [Int], record: Int)?
            /// Of a note that is in a list: its author, and the record of the list.
            var owner: (person: Int, record: Int)?

            var isNote: Bool { entity == "Note" }
        }

        private enum Outcome: Int {
            case taken, rejected
            /// There is an object that must not be, which may go with records that turn out to be rejected.
            case mismatch
            /// A list leaves a note without an author.
            case abandonment
        }

        private struct State {
            var all: [Thing] = []
            /// What records name, and create if it is not there, in lists also if later records replace these.
            var listed: [(record: Int, link: Link, keys: [Int])] = []
            /// What records need that was not there.
            var needed: [(record: Int, link: Link, key: Int)] = []
            /// The records that create objects if there are none, with what they name.
            var namers: [(record: Int, object: Int)] = []
        }

        private var state = State()
        private let scenario: Scenario
        /// Records that are rejected when they are read, and do not come again.
        private var refused: Set<Int> = []
        private(set) var rejected: [String] = []
        private(set) var late: Set<Int> = []
        private(set) var counts: [String: Int] = [:]
        private var all: [Thing] { state.all }

        private static func isKind(_ entity: String, of other: String) -> Bool {
            entity == other || entity == "Employee" && other == "Person"
        }

        init(_ scenario: Scenario) {
            self.scenario = scenario
            while true {
                let found = read()
                let next = found.first { !$0.records.isEmpty }
                guard let next else { break }
                counts[next.name, default: 0] += next.records.count
                late.formUnion(next.records)
            }
            rejected = late.union(refused).map { scenario.records[$0].place }.sorted()
        }

        /// Returns the records that are rejected when all have been read, of which only the first ones are.
        private mutating func read() -> [(name: String, records: Set<Int>)] {
            state = State()
            var failed: [Outcome: Set<Int>] = [:]
            for (index, record) in scenario.records.enumerated() where !late.contains(index) && !refused.contains(index)
            {
                let before = state
                let outcome = take(record, at: index)
                if outcome == .taken { continue }
                state = before
                if outcome == .rejected { refused.insert(index) } else { failed[outcome, default: []].insert(index) }
            }
            var lacking: Set<Int> = []
            for (record, link, keys) in state.listed where link.creates {
                for key in keys where !lacking.contains(record) {
                    if let known = first([link.by: key], as: link.entity) {
                        state.namers.append((record, known))
                        continue
                    }
                    let before = state
                    if make(key, link) == nil { (state, _) = (before, lacking.insert(record)) }
                    state.namers.append((record, all.count - 1))
                }
            }
            if lacking.isEmpty {
                let needed = state.needed.filter { first([$0.link.by: $0.key], as: $0.link.entity) == nil }
                lacking = Set(needed.map(\.record))
            }
            return [
                ("lacking", lacking), ("abandonments", failed[.abandonment] ?? []),
                ("mismatches", failed[.mismatch] ?? []), ("miscounts", lacking.isEmpty ? miscounted() : []),
            ]
        }

        private func first(_ values: [String: Int], as entity: String) -> Int? {
            all.firstIndex { thing in
                Self.isKind(thing.entity, of: entity) && values.allSatisfy { thing.values[$0.key] == $0.value }
            }
        }

        /// Whether no two objects have the same values of a constraint.
        private var isUnique: Bool {
            scenario.constraints.allSatisfy { root, constraints in
                constraints.allSatisfy { attributes in
                    let values = all.compactMap { thing -> [Int]? in
                        guard thing.isNote == (root == "Note") else { return nil }
                        let values = attributes.compactMap { thing.values[$0] }
                        return values.count == attributes.count ? values : nil
                    }
                    return Set(values).count == values.count
                }
            }
        }

        /// nil if the object has a value of another one.
        private mutating func make(_ value: Int, _ link: Link) -> Int? {
            state.all.append(Thing(entity: link.entity, maker: nil, values: [link.by: value]))
            return isUnique ? all.count - 1 : nil
        }

        /// nil if the record is rejected.
        private mutating func findOrMake(_ value: Int, _ link: Link, isRequired: Bool, at index: Int) -> Destination? {
            if let found = first([link.by: value], as: link.entity) {
                if link.creates { state.namers.append((index, found)) }
                return .object(found)
            }
            if link.creates {
                guard let made = make(value, link) else { return nil }
                state.namers.append((index, made))
                return .object(made)
            }
            guard link.missing == "error" || isRequired else { return .waiting(link, value) }
            state.needed.append((index, link, value))
            // No file that follows has such objects.
            let last = scenario.sources.lastIndex { source in
                source.objects.contains { Self.isKind($0.entity, of: link.entity) }
                    || source.links.contains { $0.creates && Self.isKind($0.entity, of: link.entity) }
            }
            return last ?? -1 < scenario.records[index].source ? nil : .waiting(link, value)
        }

        private func object(_ destinations: [(to: Destination, record: Int)]) -> (object: Int, record: Int)? {
            for (destination, record) in destinations {
                switch destination {
                case .object(let index): return (index, record)
                case .waiting(let link, let value):
                    if let found = first([link.by: value], as: link.entity) { return (found, record) }
                }
            }
            return nil
        }

        private mutating func take(_ record: Record, at index: Int) -> Outcome {
            let source = scenario.sources[record.source]
            var own: [[Int]] = []
            for (object, instances) in zip(source.objects, record.instances) {
                let isRequired = object.isNote ? scenario.isAuthorRequired : scenario.isBossRequired
                var toOnes: [Destination??] = []
                for instance in instances ?? [] {
                    if object.toOne?.isOfRecord ?? false {
                        toOnes.append(.some(own[0].first.map { .object($0) }))
                        continue
                    }
                    guard let key = instance.one, let link = object.toOne else {
                        toOnes.append(nil)
                        continue
                    }
                    if key == nil, isRequired { return .rejected }
                    let found = key.flatMap { findOrMake($0, link, isRequired: isRequired, at: index) }
                    if key != nil, found == nil { return .rejected }
                    toOnes.append(.some(found))
                }
                own.append([])
                for (instance, toOne) in zip(instances ?? [], toOnes) {
                    let (outcome, found) = take(instance, toOne, record.serial, at: index, object)
                    if outcome != .taken { return outcome }
                    if !isUnique { return .rejected }
                    if let found { own[own.count - 1].append(found) }
                }
            }
            guard let lister = source.objects.first, lister.listsNotes, record.instances[1] != nil,
                let person = own[0].first
            else { return .taken }
            // Existing people of a mapping that skips them keep their lists.
            if lister.match == "skip", all[person].maker != index { return .taken }
            for note in all.indices where all[note].owner?.person == person && !own[1].contains(note) {
                if lister.key.isEmpty { continue }
                // If several mappings have lists, authors are counted when all records have been read.
                if scenario.isAuthorRequired, scenario.sources.count(where: \.listsNotes) == 1 { return .abandonment }
                state.all[note].owner = nil
            }
            for note in own[1] { state.all[note].owner = (person, index) }
            return .taken
        }

        private mutating func take(
            _ instance: Instance, _ toOne: Destination??, _ serial: Int, at index: Int, _ object: Object
        ) -> (Outcome, Int?) {
            let needsMail = scenario.needsMail[object.isNote ? "Note" : "Person"] ?? false
            var values = instance.values
            if needsMail, case .some(nil) = values["mail"] { return (.rejected, nil) }
            values["serial"] = .some(serial)
            let friends = instance.friends.flatMap { keys in object.friends.map { ($0, keys, index) } }
            var key: [String: Int] = [:]
            for name in object.key { key[name] = values[name] ?? nil }
            let known = object.key.isEmpty || key.count < object.key.count ? nil : first(key, as: object.entity)
            if let (link, keys, _) = friends, known == nil ? object.missing == "create" : object.match != "skip" {
                state.listed.append((index, link, keys))
            }
            guard let known else {
                guard object.missing == "create" else { return (object.missing == "skip" ? .taken : .rejected, nil) }
                var thing = Thing(entity: object.entity, maker: index)
                for (name, value) in values { thing.values[name] = value }
                thing.toOnes = [toOne ?? nil].compactMap { $0 }.map { ($0, index) }
                thing.friends = friends
                state.all.append(thing)
                return (!needsMail || thing.values["mail"] != nil ? .taken : .rejected, all.count - 1)
            }
            switch object.match {
            case "error": return (.mismatch, nil)
            case "update":
                for (name, value) in values { state.all[known].values[name] = value }
                if let toOne { state.all[known].toOnes = [toOne].compactMap { $0 }.map { ($0, index) } }
                if let friends { state.all[known].friends = friends }
            case "fill":
                for (name, value) in values where all[known].values[name] == nil {
                    state.all[known].values[name] = value
                }
                if case .some(.some(let toOne)) = toOne { state.all[known].toOnes.append((toOne, index)) }
            default: break
            }
            return (.taken, known)
        }

        // MARK: - Counting

        private func destination(of index: Int) -> (object: Int, record: Int)? {
            all[index].owner.map { ($0.person, $0.record) } ?? object(all[index].toOnes)
        }

        private func friends(of index: Int) -> [Int] {
            guard let (link, keys, _) = all[index].friends else { return [] }
            return Set(keys.compactMap { first([link.by: $0], as: link.entity) }).sorted()
        }

        /// The records because of which objects lead to too many others or to too few.
        private func miscounted() -> Set<Int> {
            var gone: Set<Int> = []
            let toOnes = all.indices.map(destination)
            let friends = all.indices.map { self.friends(of: $0) }
            func records(to index: Int, isNote: Bool) -> [(record: Int, other: Int)] {
                all.indices.compactMap { other in
                    guard all[other].isNote == isNote, let found = toOnes[other], found.object == index else {
                        return nil
                    }
                    return (found.record, other)
                }
            }
            for index in all.indices.filter({ all[$0].isNote }) + all.indices.filter({ !all[$0].isNote }) {
                let thing = all[index]
                func lacks(_ isLacking: Bool) {
                    guard isLacking else { return }
                    if let maker = thing.maker {
                        gone.insert(maker)
                    } else {
                        gone.formUnion(state.namers.filter { $0.object == index }.map(\.record))
                    }
                }
                func count(_ limits: Limits, _ links: [(record: Int, other: Int)]) {
                    if thing.maker.map(gone.contains) ?? false { return }
                    let records = Set(links.map(\.record)).subtracting(gone)
                    let maker = thing.maker.flatMap { records.contains($0) ? [$0] : nil } ?? []
                    var others: Set<Int> = []
                    var (left, few): (Int, [Int]) = (0, [])
                    for record in maker + records.subtracting(maker).sorted() {
                        others.formUnion(links.filter { $0.record == record }.map(\.other))
                        if limits.isTooMany(others.count) {
                            gone.insert(record)
                        } else {
                            left = others.count
                            if limits.isTooFew(left) { few.append(record) }
                        }
                    }
                    if limits.isOptional, limits.isTooFew(left), maker.isEmpty || !few.contains(maker[0]) {
                        gone.formUnion(few)
                    } else {
                        lacks(limits.isTooFew(left))
                    }
                }
                if thing.maker.map(gone.contains) ?? false { continue }
                if thing.isNote ? scenario.isAuthorRequired : scenario.isBossRequired { lacks(toOnes[index] == nil) }
                if thing.isNote { continue }
                count(
                    scenario.friendOf,
                    all.indices.flatMap { other in
                        friends[other].contains(index) ? [(all[other].friends?.record ?? 0, other)] : []
                    })
                count(scenario.friends, friends[index].map { (thing.friends?.record ?? 0, $0) })
                count(scenario.notes, records(to: index, isNote: true))
                count(scenario.staff, records(to: index, isNote: false))
            }
            return gone
        }

        // MARK: - Rows

        private func text(_ index: Int?) -> String {
            guard let index else { return "NULL|NULL|NULL" }
            return ["code", "mail", "serial"].map { all[index].values[$0].map { "\($0)" } ?? "NULL" }
                .joined(separator: "|")
        }

        var people: [String] {
            all.indices.filter { !all[$0].isNote }
                .map { "\(all[$0].entity)|\(text($0))|\(text(destination(of: $0)?.object))" }.sorted()
        }

        var notes: [String] {
            all.indices.filter { all[$0].isNote }.map { "\(text($0))|\(text(destination(of: $0)?.object))" }.sorted()
        }

        var friends: [String] {
            all.indices.flatMap { index in friends(of: index).map { "\(text(index))|\(text($0))" } }.sorted()
        }
    }

    private static func require(_ plain: Plain, in fixture: ImportFixture, _ context: String) throws {
        try fixture.requireRows(
            """
            SELECT k.Z_NAME, p.ZCODE, p.ZMAIL, p.ZSERIAL, b.ZCODE, b.ZMAIL, b.ZSERIAL FROM ZPERSON p \
            JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
            """, plain.people, context)
        try fixture.requireRows(
            """
            SELECT n.ZCODE, n.ZMAIL, n.ZSERIAL, p.ZCODE, p.ZMAIL, p.ZSERIAL FROM ZNOTE n \
            LEFT JOIN ZPERSON p ON p.Z_PK = n.ZAUTHOR
            """, plain.notes, context)
        let found = try fixture.rows(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.name GLOB 'Z_[0-9]*'")
        let names = found.map { $0.split(separator: "|").map(String.init) }
        let owner = try #require(names.first { $0[1].hasSuffix("FRIENDOF") })
        let other = try #require(names.first { $0[1].hasSuffix("FRIENDS") && $0[0] == owner[0] })
        try fixture.requireRows(
            "SELECT p.ZCODE, p.ZMAIL, p.ZSERIAL, f.ZCODE, f.ZMAIL, f.ZSERIAL FROM \(owner[0]) "
                + "JOIN ZPERSON p ON p.Z_PK = \(owner[1]) JOIN ZPERSON f ON f.Z_PK = \(other[1])", plain.friends,
            context)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsAreRejectedAsWholes(size: Int) throws {
        var counts: [String: Int] = [:]
        try Scenario.forEachCase(120, size: size, assembledTenths: 7.5) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            random.options.fixedLimits.assembly.constraintPages = 1
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged && writer == .auto)
                let context = "\(writer) \(report.lookupReasons ?? []) \(random.context)\n\(scenario.entities)"
                // SQLite finds links anew only for records that are rejected late, and looks up what the records of a
                // batch name before it writes them.
                if !report.isAssembled, !plain.late.isEmpty || size > 1 { return report }
                try #require(rejected.sorted() == plain.rejected, "\(context)")
                try Self.require(plain, in: fixture, context)
                return report
            }
            let found = try report(.auto)
            _ = try report(.sqlite)
            // Few mappings of which records may not match are assembled.
            let counted = plain.counts.filter { name, _ in
                found.isAssembled || name == "mismatches" && !TestSettings.triesEverySeed
            }
            counts.merge(counted) { $0 + $1 }
            return found
        }
        let names = ["lacking", "abandonments", "mismatches", "miscounts"]
        #expect(TestSettings.isFast || names.allSatisfy { counts[$0] ?? 0 > 0 }, "\(counts)")
    }

    /// The record may be rejected because of its note, so that what it names is created when all records are read.
    @Test func aRecordFindsTheEmployeeThatItCreatesByNamingIt() throws {
        let number = "attributeType=\"Integer 32\" optional=\"YES\""
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="code" \(number)/><attribute name="mail" \(number)/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
                inverseEntity="Person"/><relationship name="staff" optional="YES" toMany="YES" \
                destinationEntity="Person" inverseName="boss" inverseEntity="Person"/></entity>
                <entity name="Employee" parentEntity="Person"/><entity name="Note"><attribute name="code" \(number)/>
                <attribute name="mail" \(number)/><uniquenessConstraints><uniquenessConstraint>
                <constraint value="mail"/></uniquenessConstraint></uniquenessConstraints></entity>
                """)
        let mapping = """
            import: 1
            sources:
              - files: people.json
                objects:
                  - entity: Person
                    key: [mail]
                    attributes: [code, mail]
                    relationships: {boss: {by: mail, entity: Employee, onMissing: create, from: boss}}
                  - {entity: Note, key: [code], attributes: {code: note, mail: mail}}
            """
        let files = [try fixture.write("{\"code\": 4, \"mail\": 3, \"boss\": 3, \"note\": 1}\n", as: "people.json")]
        let report = try fixture.run(
            files, .mapping(ImportMapping(yaml: mapping)), options: ImportOptions(rows: 1, .builder))
        #expect(report.isAssembled)
        let query = """
            SELECT k.Z_NAME, p.ZCODE, b.ZCODE FROM ZPERSON p JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT \
            LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
            """
        #expect(try fixture.rows(query) == ["Employee|4|4"])
    }

    /// The entities of the tests with given records.
    private static func entities(friendOf limits: String, author: String) -> String {
        let number = "attributeType=\"Integer 32\" optional=\"YES\""
        func toMany(_ name: String, _ entity: String, _ inverse: String, _ limits: String = "") -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" \(limits) destinationEntity=\"\(entity)\" "
                + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
        }
        return """
            <entity name="Person"><attribute name="code" \(number)/><attribute name="mail" \(number)/>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
            inverseEntity="Person"/>\(toMany("staff", "Person", "boss"))\(toMany("friends", "Person", "friendOf"))
            \(toMany("friendOf", "Person", "friends", limits))\(toMany("notes", "Note", "author"))</entity>
            <entity name="Note"><attribute name="code" \(number)/><relationship name="author" \(author) maxCount="1" \
            destinationEntity="Person" inverseName="notes" inverseEntity="Person"/></entity>
            """
    }

    /// Returns the lines of the records that are rejected in the first file of an import.
    private static func rejectedLines(
        _ fixture: ImportFixture, _ mapping: String, _ records: String, _ size: Int, _ writer: NewStoreWriter
    ) throws -> [Int] {
        var options = ImportOptions(rows: size, writer)
        options.fixedLimits.assembly.constraintPages = 1
        var rejected: [Int] = []
        options.onReject = { rejection, _ in rejected.append(Int(rejection.line)) }
        let files = [try fixture.write(records, as: "people.json"), try fixture.write("", as: "others.json")]
        let others = "\n  - {files: others.json, entity: Person, key: [mail], attributes: [code, mail]}\n"
        try fixture.run(files, .mapping(ImportMapping(yaml: mapping + others)), options: options)
        return rejected.sorted()
    }

    /// The first list of the second record gives a person another note, and the second one leaves a note without an
    /// author. The third record does not have the note that is gone.
    @Test(arguments: [1, 2, 1000])
    func notesThatARejectedRecordHasGivenAreTakenBack(size: Int) throws {
        let mapping = """
            import: 1
            sources:
              - files: people.json
                objects:
                  - id: person
                    entity: Person
                    each: people[*]
                    key: [code]
                    attributes: [code, mail]
                    relationships: {notes: {object: note}}
                  - {id: note, entity: Note, in: person, each: 'notes[*]', key: [code], attributes: [code]}
            """
        let records = """
            {"people": [{"code": 1, "notes": [{"code": 1}, {"code": 2}]}, {"code": 2, "notes": [{"code": 3}]}]}
            {"people": [{"code": 1, "notes": [{"code": 1}, {"code": 2}, {"code": 5}]}, {"code": 2, "notes": [{"code": 4}]}]}
            {"people": [{"code": 1, "notes": [{"code": 1}, {"code": 2}]}]}
            """
        let fixture = try ImportFixture(entities: Self.entities(friendOf: "", author: "optional=\"NO\""))
        #expect(try Self.rejectedLines(fixture, mapping, records, size, .builder) == [2])
        let query = "SELECT n.ZCODE, p.ZCODE FROM ZNOTE n JOIN ZPERSON p ON p.Z_PK = n.ZAUTHOR ORDER BY 1"
        #expect(try fixture.rows(query) == ["1|1", "2|1", "3|2"])
    }

    /// The second record creates the person with mail 9 before its own, but after the first person. Of both, three
    /// records are friends, one of them of both.
    @Test(arguments: [1, 2, 3, 7, 1000])
    func linksAreCountedInTheOrderInWhichObjectsAreCreated(size: Int) throws {
        let mapping = """
            import: 1
            sources:
              - files: people.json
                entity: Person
                key: [code]
                attributes: [code, mail]
                relationships:
                  boss: {by: mail, from: boss, onMissing: create}
                  friends: {by: mail, from: 'friends[*]'}
            """
        let records = """
            {"code": 1, "mail": 1}
            {"code": 2, "mail": 2, "boss": 9}
            {"code": 3, "mail": 3, "friends": [1]}
            {"code": 4, "mail": 4, "friends": [1]}
            {"code": 5, "mail": 5, "friends": [1, 9]}
            {"code": 6, "mail": 6, "friends": [9]}
            {"code": 7, "mail": 7, "friends": [9]}
            """
        for writer in [NewStoreWriter.builder] + (size == 1 ? [.sqlite] : []) {
            let fixture = try ImportFixture(
                entities: Self.entities(friendOf: "maxCount=\"2\"", author: "optional=\"YES\""))
            #expect(try Self.rejectedLines(fixture, mapping, records, size, writer) == [5])
        }
    }

    /// The second record must not find a person, and finds one whose own record is rejected because its boss is nowhere.
    /// It then creates another one, which the author of a note and the third record need.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.auto, .sqlite])
    func undecidedRecordsMakeWhatOthersNeed(size: Int, writer: NewStoreWriter) throws {
        for areNotesFirst in [false, true] { try importUndecided(size, writer, areNotesFirst: areNotesFirst) }
    }

    private func importUndecided(_ size: Int, _ writer: NewStoreWriter, areNotesFirst: Bool) throws {
        let notes = """

              - files: notes.json
                entity: Note
                key: code
                attributes: [code]
                relationships: {author: {by: code, from: author, onMissing: error}}
            """
        let people = """

              - files: first.json
                entity: Person
                key: mail
                attributes: [code, mail]
                relationships: {boss: {by: code, from: boss, onMissing: error}}
              - files: second.json
                objects:
                  - {entity: Person, key: code, onMatch: error, attributes: {code: one}}
                  - {entity: Person, key: code, attributes: {code: two}}
              - {files: third.json, entity: Person, key: code, onMissing: error, attributes: [code, mail]}
            """
        let fixture = try ImportFixture(entities: Self.entities(friendOf: "", author: "optional=\"YES\""))
        var options = ImportOptions(rows: size, writer)
        var rejected: [String] = []
        options.onReject = { rejection, _ in
            rejected.append(rejection.source.split(separator: "/").last.map(String.init) ?? "")
        }
        let files = try [
            fixture.write("{\"code\": 1, \"mail\": 1, \"boss\": 99}\n", as: "first.json"),
            fixture.write("{\"one\": 1, \"two\": 2}\n", as: "second.json"),
            fixture.write("{\"code\": 2, \"mail\": 7}\n", as: "third.json"),
            fixture.write("{\"code\": 5, \"author\": 2}\n", as: "notes.json"),
        ]
        let mapping = "import: 1\nsources:" + (areNotesFirst ? notes + people : people + notes)
        let report = try fixture.run(files, .mapping(ImportMapping(yaml: mapping)), options: options)
        #expect(!report.isAssembled)
        #expect(rejected == ["first.json"])
        #expect(try fixture.rows("SELECT ZCODE, ZMAIL FROM ZPERSON ORDER BY 1") == ["1|NULL", "2|7"])
        #expect(
            try fixture.rows("SELECT n.ZCODE, p.ZCODE FROM ZNOTE n JOIN ZPERSON p ON p.Z_PK = n.ZAUTHOR") == ["5|2"])
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
