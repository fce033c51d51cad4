import PersistentStores
import StoreConversion
import StoreMigration

/// The operation of `ferry convert` on a store.
extension StoreWorker {
    func convert(_ store: FleetStore, _ result: inout StoreResult) throws {
        guard let output = store.output else { return }
        let version = try models.catalog.completed(
            models.catalog.sourceVersion(ofStoreAt: store.path, named: fleet.version))
        var settings = ConversionOptions()
        settings.keepsIDs = fleet.keepsIDs
        settings.isCancelled = options.isCancelled
        settings.onCheckpoint = options.onCheckpoint
        let report = try StoreConverter(
            sources: [.init(path: store.path, model: version.model)],
            target: .init(path: output, type: fleet.newType, newStore: version.newStore), options: settings
        ).convert()
        result.versionBefore = version.name
        result.versionAfter = version.name
        result.objects = report.objects
        result.findings = report.findings.map { StoreFinding($0) }
    }
}

extension FleetOptions {
    /// The type of the new stores of a conversion.
    var newType: PersistentStoreType {
        storeType.flatMap { PersistentStoreRegistry.standard.type(named: $0) } ?? .sqlite
    }

    /// Returns the name of the output for a store with a name.
    func productName(of name: String) -> String {
        switch operation {
        case .migrate, .verify, .repair, .export: return name
        case .inspect: return name + ".json"
        case .convert:
            let file = FileSystem.name(of: name)
            let ending = PersistentStoreRegistry.standard.format(of: newType)?.fileExtensions.first ?? "sqlite"
            guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return name + "." + ending }
            return name.dropLast(file.distance(from: dot, to: file.endIndex)) + "." + ending
        }
    }
}
