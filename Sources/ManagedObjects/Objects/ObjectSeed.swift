/// The data from which a context makes an object; only contexts can make one.
public struct ObjectSeed {
    let place: ObjectPlace
    let number: Int64
}
