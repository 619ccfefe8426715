// Plugin acme.logistic, in Rust: f(x) = 1 / (1 + exp(-(x - middle) / width)) with three derivatives. The records repeat
// trammel/c/records.h and elements.h for what this plugin uses; the ABI tag is compared when it is loaded.
#![crate_type = "cdylib"]
use std::ffi::c_void;
use std::os::raw::{c_char, c_int};

#[repr(C)]
pub struct Status {
    code: i32,
    subject: i32,
    value: f64,
    what: *const c_char,
}

#[repr(C)]
pub struct FunctionTable {
    extension: extern "C" fn(*const Logistic, *const c_char) -> *const c_void,
    evaluate: extern "C" fn(*const Logistic, f64, c_int, *mut f64) -> Status,
    max_order: extern "C" fn(*const Logistic) -> c_int,
    break_points: extern "C" fn(*const Logistic, *mut f64, i32) -> i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Parameters {
    middle: f64,
    width: f64,
}

#[repr(C)]
pub struct Logistic {
    table: *const FunctionTable,
    p: Parameters,
}

#[repr(C)]
pub struct ParameterRecord {
    name: *const c_char,
    kind: i32,
    offset: u32,
    unit: *const c_char,
    description: *const c_char,
    default_json: *const c_char,
    minimum: f64,
    maximum: f64,
    exclusive_minimum: bool,
    exclusive_maximum: bool,
    optional: bool,
    choices: *const c_char,
    count_min: i32,
    count_max: i32,
    length: i32,
}

#[repr(C)]
pub struct ParameterTable {
    records: *const ParameterRecord,
    count: i32,
    struct_size: u32,
    struct_align: u32,
}

#[repr(C)]
pub struct ComponentRecord {
    struct_size: u32,
    host: i32,
    kind: *const c_char,
    type_name: *const c_char,
    summary: *const c_char,
    citation: *const c_char,
    parameters: ParameterTable,
    body_parameters: ParameterTable,
    create: extern "C" fn(*const c_void, *const c_void, *mut c_void) -> *mut c_void,
    destroy: extern "C" fn(*mut c_void),
}

#[repr(C)]
pub struct PluginDescriptor {
    magic: u64,
    struct_size: u32,
    interface_epoch: u32,
    sdk_minor: u32,
    component_count: u32,
    abi_tag: *const c_char,
    id: *const c_char,
    version: *const c_char,
    licence: *const c_char,
    components: *const ComponentRecord,
}

// Pointers into constant data of this library.
unsafe impl Sync for FunctionTable {}
unsafe impl Sync for ParameterRecord {}
unsafe impl Sync for ComponentRecord {}
unsafe impl Sync for PluginDescriptor {}

macro_rules! text {
    ($s:expr) => {
        concat!($s, "\0").as_ptr() as *const c_char
    };
}
// Written beside this file by CMake, from TRAMMEL_C_ABI_TAG of c_plugin.h and its numbers.
include!(env!("TRAMMEL_RUST_ABI"));

extern "C" fn extension(_: *const Logistic, _: *const c_char) -> *const c_void {
    std::ptr::null()
}
extern "C" fn evaluate(me: *const Logistic, x: f64, order: c_int, value: *mut f64) -> Status {
    let p = unsafe { (*me).p };
    let f = 1.0 / (1.0 + (-(x - p.middle) / p.width).exp());
    let g = f * (1.0 - f);
    let all = [
        f,
        g / p.width,
        g * (1.0 - 2.0 * f) / p.width.powi(2),
        g * (1.0 - 6.0 * g) / p.width.powi(3),
    ];
    for k in 0..=(order as usize).min(3) {
        unsafe { *value.add(k) = all[k] };
    }
    Status { code: 0, subject: -1, value: 0.0, what: text!("") }
}
extern "C" fn max_order(_: *const Logistic) -> c_int {
    3
}
extern "C" fn break_points(_: *const Logistic, _: *mut f64, _: i32) -> i32 {
    0
}
static TABLE: FunctionTable = FunctionTable { extension, evaluate, max_order, break_points };

extern "C" fn create(parameters: *const c_void, _: *const c_void, _: *mut c_void) -> *mut c_void {
    let p = unsafe { *(parameters as *const Parameters) };
    Box::into_raw(Box::new(Logistic { table: &TABLE, p })) as *mut c_void
}
extern "C" fn destroy(component: *mut c_void) {
    unsafe { drop(Box::from_raw(component as *mut Logistic)) };
}

const fn number(name: *const c_char, offset: u32, description: *const c_char, default_json: *const c_char, above_zero: bool) -> ParameterRecord {
    ParameterRecord {
        name,
        kind: 0,
        offset,
        unit: text!("1"),
        description,
        default_json,
        minimum: if above_zero { 0.0 } else { f64::NEG_INFINITY },
        maximum: f64::INFINITY,
        exclusive_minimum: above_zero,
        exclusive_maximum: false,
        optional: false,
        choices: std::ptr::null(),
        count_min: 0,
        count_max: i32::MAX,
        length: 0,
    }
}
static PARAMETERS: [ParameterRecord; 2] = [
    number(text!("middle"), 0, text!("Argument at which the value is 1/2."), text!("0"), false),
    number(text!("width"), 8, text!("Width of the rise."), text!("1"), true),
];
const NONE: ParameterTable = ParameterTable { records: std::ptr::null(), count: 0, struct_size: 0, struct_align: 1 };
static COMPONENTS: [ComponentRecord; 1] = [ComponentRecord {
    struct_size: std::mem::size_of::<ComponentRecord>() as u32,
    host: 0,
    kind: text!("trammel.function/1"),
    type_name: text!("acme.logistic"),
    summary: text!("A smooth rise from 0 to 1."),
    citation: text!(""),
    parameters: ParameterTable { records: &PARAMETERS[0], count: 2, struct_size: 16, struct_align: 8 },
    body_parameters: NONE,
    create,
    destroy,
}];

#[no_mangle]
pub static trammel_plugin: PluginDescriptor = PluginDescriptor {
    magic: TRAMMEL_DESCRIPTOR_MAGIC,
    struct_size: std::mem::size_of::<PluginDescriptor>() as u32,
    interface_epoch: TRAMMEL_INTERFACE_EPOCH,
    sdk_minor: TRAMMEL_SDK_MINOR,
    component_count: 1,
    abi_tag: text!(trammel_abi_tag!()),
    id: text!("acme.logistic"),
    version: text!("1.0.0"),
    licence: text!("BSD-3-Clause"),
    components: &COMPONENTS[0],
};
