import ManagedObjectModels
import PersistentStores

/// Compares paths of models: `./App.xcdatamodeld/App 2` and its absolute form with an extension are equal.
enum ModelPath {
    /// Returns the forms of a path: as it is written, and with links resolved, both without extension.
    static func forms(_ path: String) -> Set<String> {
        var forms: Set<String> = [ModelVersion.withoutExtension(path)]
        for end in ["", ".xcdatamodel", ".mom"] where FileSystem.exists(path + end) {
            forms.insert(ModelVersion.withoutExtension(FileSystem.resolvingLinks(path + end)))
        }
        return forms
    }

    /// Returns the components of a path without their extensions, the last one first.
    static func reversedComponents(_ path: String) -> [String] {
        path.split(separator: "/").reversed().map { component in
            for end in [".xcdatamodel", ".mom", ".xcdatamodeld", ".momd"] where component.hasSuffix(end) {
                return String(component.dropLast(end.count))
            }
            return String(component)
        }
    }

    /// Returns whether a path ends with a bundle, which contains several versions.
    static func isBundle(_ path: String) -> Bool {
        path.split(separator: "/").last.map { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") } ?? true
    }
}
