/// What a context makes an object of; only contexts have one.
public struct ObjectSeed {
    let place: ObjectPlace
    let number: Int64
}
