import ManagedObjectModels
import PersistentStores

/// Paths of models as they are compared: `./App.xcdatamodeld/App 2` and its absolute form with an extension are one.
enum ModelPath {
    /// What a path may be known as: as it is written and with links resolved, both without extension.
    static func forms(_ path: String) -> Set<String> {
        var forms: Set<String> = [ModelVersion.withoutExtension(path)]
        for end in ["", ".xcdatamodel", ".mom"] where FileSystem.exists(path + end) {
            forms.insert(ModelVersion.withoutExtension(FileSystem.resolvingLinks(path + end)))
        }
        return forms
    }
}
