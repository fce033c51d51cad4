/// Where the migrations of the safety tests put their results, and what becomes of the old store.
enum SafetyPlacement: String, CaseIterable, Sendable {
    case replace, backup, inPlace, inPlaceWithBackup, output

    /// The result's path, for a store in a folder.
    func result(of store: String, in folder: String) -> String {
        self == .output ? folder + "/New.sqlite" : store
    }

    /// The folder of the backup, where one is made.
    func backup(in folder: String) -> String? {
        [.backup, .inPlaceWithBackup].contains(self) ? folder + "/old" : nil
    }

    func words(in folder: String) -> [String] {
        switch self {
        case .replace: []
        case .backup: ["--backup", folder + "/old"]
        case .inPlace: ["--in-place"]
        case .inPlaceWithBackup: ["--in-place", "--backup", folder + "/old"]
        case .output: ["--output", folder + "/New.sqlite"]
        }
    }
}
