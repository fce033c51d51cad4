import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreVerification
import TestSupport
import Testing

/// A coordinator with one new store in a folder of its own.
struct Stack {
    let directory: TemporaryDirectory
    let path: String
    let model: ResolvedModel
    let coordinator: PersistentStoreCoordinator
    let store: PersistentStore

    init(
        _ staff: Staff = Staff(), type: PersistentStoreType = .sqlite,
        change: (inout CoordinatorOptions) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.file("Staff.store")
        model = try ResolvedModel(staff.model)
        var options = CoordinatorOptions()
        change(&options)
        coordinator = PersistentStoreCoordinator(model: model, options: options)
        store = try coordinator.addStore(at: path, type: type)
    }

    func context(limits: ContextLimits = ContextLimits()) -> ManagedObjectContext {
        ManagedObjectContext(coordinator, limits: limits)
    }

    /// The rows of a query, each as SQL writes its values.
    func rows(_ sql: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows(sql).map { $0.map(\.literal).joined(separator: "|") }
    }

    func execute(_ sql: String) throws {
        let connection = try Connection(path: path, access: .readWrite, busyTimeout: 2000)
        try registerCoreDataFunctions(connection)
        try connection.execute(sql)
        try connection.close()
    }

    /// Everything in the store, read by other code: whatever a save must not have touched.
    func content() throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        var lines: [String] = []
        for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
            let name = table[0].string ?? ""
            lines += try connection.rows("SELECT * FROM \(SQLiteIdentifier.quoted(name))").map { row in
                name + ": " + row.map(\.literal).joined(separator: "|")
            }
        }
        return lines
    }

    /// What is wrong with the store: two checkers that share nothing.
    func faults() throws -> [String] {
        var faults = try StoreVerifier(SQLiteStore(path: path), model: model).verify().findings
            .filter { $0.severity > .note }.map { "\($0)" }
        guard StoreChecker.isPresent else { return faults }
        let source = try modelPath()
        for command in ["integrity", "layout"] {
            let verdict = try StoreChecker.check(command, path, source)
            if verdict.status != 0 { faults.append(verdict.text) }
        }
        return faults
    }

    /// The model in a file, for programs.
    func modelPath() throws -> String {
        let source = directory.file("Model.xcdatamodel")
        try Stack.write(model.model, to: source)
        return source
    }

    private static func write(_ model: ManagedObjectModel, to folder: String) throws {
        guard !FileSystem.exists(folder + "/contents") else { return }
        try FileSystem.createDirectory(folder)
        let bundle = try SourceModelBundle([("Model", ModelDocument(model: model))], currentVersionName: nil)
        for file in bundle.files where file.path.hasSuffix("contents") {
            let output = try NewFile(folder + "/contents")
            try output.write(file.bytes)
        }
    }
}

extension ManagedObjectContext {
    @discardableResult
    func make(_ entity: String, _ values: [String: AttributeValue] = [:]) throws -> ManagedObject {
        let object = try insert(entity)
        for (key, value) in values { try object.setValue(.attribute(value), forKey: key) }
        return object
    }
}

extension ManagedObject {
    func text(_ key: String) throws -> String? { try value(of: AttributeKey<String>(key)) }
    func number(_ key: String) throws -> Int? { try value(of: AttributeKey<Int>(key)) }
    func set(_ key: String, _ value: AttributeValue?) throws {
        try setValue(value.map { .attribute($0) }, forKey: key)
    }
    func set(_ key: String, to object: ManagedObject?) throws {
        try setValue(object.map { .object($0) }, forKey: key)
    }
    func one(_ key: String) throws -> ManagedObject? { try object(of: ToOneKey<ManagedObject>(key)) }
    func many(_ key: String) throws -> [ManagedObject] { try objects(of: ToManyKey<ManagedObject>(key)) }
    func names(_ key: String) throws -> [String] { try many(key).map { try $0.text("lastName") ?? "" } }
}
