import GeneratedStores
import StoreEditing

extension TemporaryStore {
    @discardableResult
    func edit(
        _ steps: EditStep..., change: (inout StoreEditor.Options) -> Void = { _ in }
    ) throws -> EditReport {
        var options = StoreEditor.Options()
        change(&options)
        return try StoreEditor(path: path, model: model, options: options).run(steps)
    }
}
